"""Cases of sinkhorn_transformer."""

from __future__ import annotations

import torch

PACKAGES = ["sinkhorn_transformer"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_sinkhorn_transformer():
    from sinkhorn_transformer import SinkhornTransformerLM

    model = SinkhornTransformerLM(
        num_tokens=50,
        dim=16,
        heads=2,
        depth=1,
        max_seq_len=32,
        bucket_size=8,
        causal=True,
        ff_chunks=2,
        n_local_attn_heads=1,
    )
    return model, (tokens(1, 32),)


def case_sinkhorn_transformer_plain():
    from sinkhorn_transformer import SinkhornTransformerLM

    model = SinkhornTransformerLM(
        num_tokens=50, dim=16, heads=2, depth=1, max_seq_len=32, bucket_size=8, use_simple_sort_net=True, n_sortcut=2
    )
    return model, (tokens(1, 32),)
