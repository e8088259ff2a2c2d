"""Cases of focal_frequency_loss."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["focal_frequency_loss"]


def image(channels: int = 3, size: int = 64, n: int = 2) -> torch.Tensor:
    return torch.rand(n, channels, size, size)


def case_focal_frequency():
    from focal_frequency_loss import FocalFrequencyLoss

    return FocalFrequencyLoss(), (image(size=16), image(size=16))


def case_focal_frequency_of_patches():
    from focal_frequency_loss import FocalFrequencyLoss

    return FocalFrequencyLoss(patch_factor=2, ave_spectrum=True, batch_matrix=True), (image(size=16), image(size=16))
