"""Cases of julius."""

from __future__ import annotations

import torch

PACKAGES = ["julius"]


def case_julius_bands():
    from julius import SplitBands

    return SplitBands(16000, n_bands=3), (torch.randn(1, 400),)


def case_julius_resample():
    from julius import ResampleFrac

    return ResampleFrac(4, 5), (torch.randn(1, 400),)


def case_julius_low_pass():
    from julius import LowPassFilter

    return LowPassFilter(0.2, stride=2), (torch.randn(1, 400),)


def case_julius_convolution():
    from julius import FFTConv1d

    return FFTConv1d(1, 2, 16, stride=2), (torch.randn(1, 1, 400),)
