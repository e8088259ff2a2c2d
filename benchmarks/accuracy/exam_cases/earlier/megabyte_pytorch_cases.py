"""Cases of MEGABYTE_pytorch."""

from __future__ import annotations

import torch

PACKAGES = ["MEGABYTE_pytorch"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_megabyte():
    from MEGABYTE_pytorch import MEGABYTE

    model = MEGABYTE(num_tokens=50, dim=(16, 8), max_seq_len=(8, 4), depth=(1, 1), dim_head=8, heads=2)
    return model, (tokens(1, 32),), {"return_loss": True}
