"""Cases of siren_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["siren_pytorch"]


def case_siren():
    from siren_pytorch import SirenNet, SirenWrapper

    return SirenWrapper(SirenNet(2, 8, 3, 2), 8, 8, latent_dim=4), (torch.rand(1, 3, 8, 8),), {"latent": torch.rand(4)}
