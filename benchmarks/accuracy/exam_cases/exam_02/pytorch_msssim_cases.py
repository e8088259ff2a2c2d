"""Cases of pytorch_msssim."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["pytorch_msssim"]


def case_structural_similarity():
    from pytorch_msssim import SSIM

    return SSIM(data_range=1), (torch.rand(2, 3, 32, 32), torch.rand(2, 3, 32, 32))


def case_similarity_of_scales():
    from pytorch_msssim import MS_SSIM

    return MS_SSIM(data_range=1), (torch.rand(1, 3, 192, 192), torch.rand(1, 3, 192, 192))
