"""Cases of local_attention."""

from __future__ import annotations

import torch

PACKAGES = ["local_attention"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_local_attention():
    from local_attention import LocalAttention

    model = LocalAttention(dim=8, window_size=8, causal=True, look_backward=1, look_forward=0, autopad=True)
    q = torch.randn(2, 2, 30, 8)
    return model, (q, q, q), {"mask": torch.ones(2, 30).bool()}


def case_local_transformer():
    from local_attention import LocalTransformer

    model = LocalTransformer(
        num_tokens=50,
        dim=16,
        depth=2,
        max_seq_len=64,
        causal=True,
        local_attn_window_size=8,
        dim_head=8,
        heads=2,
        use_dynamic_pos_bias=True,
    )
    return model, (tokens(1, 33),), {"return_loss": True}


def case_local_transformer_xpos():
    from local_attention import LocalTransformer

    model = LocalTransformer(
        num_tokens=50,
        dim=16,
        depth=1,
        max_seq_len=64,
        causal=True,
        local_attn_window_size=8,
        dim_head=8,
        heads=2,
        use_xpos=True,
    )
    return model, (tokens(1, 32),)
