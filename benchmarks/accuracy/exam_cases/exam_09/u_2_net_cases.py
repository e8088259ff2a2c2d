"""Cases of U-2-Net."""

from __future__ import annotations

import sys

import kornia.filters
import kornia.utils
import torch
from exam_surroundings import ABSENT, absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = ["U-2-Net"]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written


Rotation.as_dcm = Rotation.as_matrix  # likewise


sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it


absent(*ABSENT["exam_09_b"])


def case_u2net():
    inside("U-2-Net")
    from model import U2NETP

    return U2NETP(3, 1), (torch.rand(2, 3, 64, 64),)


def case_u2net_refactored():
    inside("U-2-Net")
    from model.u2net_refactor import U2NET_lite

    return U2NET_lite(), (torch.rand(2, 3, 64, 64),)
