"""Cases of monotonicnetworks."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["monotonicnetworks"]


def case_lipschitz():
    from monotonicnetworks import LipschitzLinear

    return LipschitzLinear(6, 4, kind="one"), (torch.randn(2, 6),)


def case_monotonic():
    from monotonicnetworks import GroupSort, LipschitzLinear, MonotonicWrapper

    layers = nn.Sequential(LipschitzLinear(6, 8, kind="one-inf"), GroupSort(2), LipschitzLinear(8, 1, kind="inf"))
    return MonotonicWrapper(layers, monotonic_constraints=[1, 0, 0, 1, 0, 0]), (torch.randn(2, 6),)


def case_norm_of_units():
    from monotonicnetworks import RMSNorm

    return RMSNorm(6), (torch.randn(2, 6),)
