"""Cases of pytorch_wavelets."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["pytorch_wavelets"]


def case_dwt():
    from pytorch_wavelets import DWTForward

    return DWTForward(J=2, wave="db2", mode="symmetric"), (torch.rand(1, 2, 16, 16),)


def case_dwt_inverse():
    from pytorch_wavelets import DWTForward, DWTInverse

    class Both(nn.Module):
        def __init__(self):
            super().__init__()
            self.f, self.i = DWTForward(J=2, wave="db2", mode="zero"), DWTInverse(wave="db2", mode="zero")

        def forward(self, x):
            return self.i(self.f(x))

    return Both(), (torch.rand(1, 2, 16, 16),)


def case_dwt1d():
    from pytorch_wavelets import DWT1DForward

    return DWT1DForward(J=2, wave="db3"), (torch.rand(1, 2, 32),)


def case_dtcwt():
    from pytorch_wavelets import DTCWTForward

    return DTCWTForward(J=2), (torch.rand(1, 2, 16, 16),)


def case_scatter_layer():
    from pytorch_wavelets import ScatLayer

    return ScatLayer(), (torch.rand(1, 2, 16, 16),)
