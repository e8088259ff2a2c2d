"""Cases of SwinIR."""

from __future__ import annotations

import sys

import kornia.filters
import kornia.utils
import torch
from exam_surroundings import ABSENT, absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = ["SwinIR"]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written


Rotation.as_dcm = Rotation.as_matrix  # likewise


sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it


absent(*ABSENT["exam_09_b"])


def restored(**options):
    """SwinIR on images whose sides are no multiple of its window."""
    inside("SwinIR")
    from models.network_swinir import SwinIR

    given = {"img_size": 16, "window_size": 4, "depths": [2, 2], "embed_dim": 12, "num_heads": [2, 2], "mlp_ratio": 2}
    return SwinIR(**{**given, **options}), (torch.rand(1, options.get("in_chans", 3), 18, 16),)


def case_swinir_super_resolution():
    return restored(upscale=2, upsampler="pixelshuffle", img_range=1.0)


def case_swinir_real():
    return restored(upscale=4, upsampler="nearest+conv", resi_connection="3conv")


def case_swinir_denoising():
    return restored(upscale=1, upsampler="", in_chans=1, ape=False, use_checkpoint=True)
