"""Cases of pesto."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["pesto"]


def case_pitch_network():
    from pesto.model import Resnet1d

    return Resnet1d(n_bins_in=216, output_dim=128), (torch.rand(2, 1, 216),)
