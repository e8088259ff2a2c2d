"""Cases of torch_harmonics."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["torch_harmonics"]


def case_harmonics_transform():
    from torch_harmonics import RealSHT

    return RealSHT(8, 16), (torch.randn(1, 8, 16),)


def case_harmonics_vector():
    from torch_harmonics import RealVectorSHT

    return RealVectorSHT(8, 16), (torch.randn(1, 2, 8, 16),)
