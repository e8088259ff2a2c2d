"""Cases of kan."""

from __future__ import annotations

import torch

PACKAGES = ["kan"]


def case_kan():
    from kan import KAN

    return KAN(width=[2, 3, 1], grid=3, k=3, seed=0, auto_save=False), (torch.rand(8, 2),)


def case_kan_multiplying():
    from kan import KAN

    return KAN(width=[2, [2, 1], 1], grid=3, k=3, seed=0, auto_save=False), (torch.rand(8, 2),)


def case_kan_layer():
    from kan.KANLayer import KANLayer

    return KANLayer(in_dim=3, out_dim=2, num=4, k=3), (torch.rand(8, 3),)
