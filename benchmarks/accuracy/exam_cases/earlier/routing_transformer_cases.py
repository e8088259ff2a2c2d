"""Cases of routing_transformer."""

from __future__ import annotations

import torch

PACKAGES = ["routing_transformer"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_routing_transformer():
    from routing_transformer import RoutingTransformerLM

    model = RoutingTransformerLM(
        num_tokens=50, dim=16, heads=2, depth=1, max_seq_len=32, window_size=8, n_local_attn_heads=1, causal=True
    )
    return model, (tokens(1, 32),), {"input_mask": torch.ones(1, 32).bool()}
