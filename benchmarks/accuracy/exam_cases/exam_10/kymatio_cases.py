"""Cases of kymatio."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["kymatio"]


def case_kymatio_1d():
    from kymatio.torch import Scattering1D

    return Scattering1D(3, 64, 2), (torch.randn(2, 64),)


def case_kymatio_2d():
    from kymatio.torch import Scattering2D

    return Scattering2D(2, (16, 16), L=2), (torch.randn(1, 16, 16),)
