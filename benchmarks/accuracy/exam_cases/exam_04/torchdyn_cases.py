"""Cases of torchdyn."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["torchdyn"]


def case_galerkin():
    from torchdyn.nn import Fourier, GalLinear

    return nn.Sequential(GalLinear(3, 2, expfunc=Fourier(2))), (torch.randn(4, 4),)
