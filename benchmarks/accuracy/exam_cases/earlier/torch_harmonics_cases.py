"""Cases of torch_harmonics."""

from __future__ import annotations

import torch

PACKAGES = ["torch_harmonics"]


def case_spherical_transform():
    from torch_harmonics import RealSHT

    return RealSHT(8, 16), (torch.randn(1, 8, 16),)


def case_spherical_attention():
    from torch_harmonics import AttentionS2

    return AttentionS2(4, 1, (8, 16), (8, 16)), (torch.randn(1, 4, 8, 16),)
