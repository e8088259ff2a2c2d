"""Cases of mambapy."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["mambapy"]


def case_state_space():
    from mambapy.mamba import Mamba, MambaConfig

    return Mamba(MambaConfig(d_model=8, n_layers=2, d_state=4)), (torch.randn(2, 5, 8),)


def case_state_space_in_turn():
    from mambapy.mamba import Mamba, MambaConfig

    return Mamba(MambaConfig(d_model=8, n_layers=1, d_state=4, pscan=False)), (torch.randn(2, 5, 8),)
