"""Cases of mega_pytorch."""

from __future__ import annotations

import torch

PACKAGES = ["mega_pytorch"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_mega():
    from mega_pytorch import Mega

    return Mega(
        num_tokens=50, dim=16, depth=1, ema_heads=2, attn_dim_qk=8, attn_dim_value=16, laplacian_attn_fn=True
    ), (tokens(1, 16),)
