"""Cases of pytorch3dunet."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["pytorch3dunet"]


def case_unet3d():
    from pytorch3dunet.unet3d.model import UNet3D

    return UNet3D(1, 2, f_maps=8, num_levels=2, num_groups=4), (torch.rand(1, 1, 8, 8, 8),)


def case_unet3d_residual():
    from pytorch3dunet.unet3d.model import ResidualUNetSE3D

    return ResidualUNetSE3D(1, 2, f_maps=8, num_levels=2, num_groups=4), (torch.rand(1, 1, 8, 8, 8),)


def case_unet3d_dice():
    from pytorch3dunet.unet3d.losses import GeneralizedDiceLoss

    return GeneralizedDiceLoss(), (torch.randn(1, 2, 4, 4, 4), torch.rand(1, 2, 4, 4, 4).round())


def case_unet3d_weighted():
    from pytorch3dunet.unet3d.losses import WeightedCrossEntropyLoss

    return WeightedCrossEntropyLoss(), (torch.randn(1, 2, 4, 4), torch.randint(0, 2, (1, 4, 4)))
