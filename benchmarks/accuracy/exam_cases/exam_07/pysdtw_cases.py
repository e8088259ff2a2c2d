"""Cases of pysdtw."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["pysdtw"]


def case_soft_dtw():
    import pysdtw

    return pysdtw.SoftDTW(use_cuda=False), (torch.randn(2, 8, 3), torch.randn(2, 6, 3))
