"""Cases of linear_attention_transformer."""

from __future__ import annotations

import torch

PACKAGES = ["linear_attention_transformer"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_linear_attention():
    from linear_attention_transformer import LinearAttentionTransformerLM

    model = LinearAttentionTransformerLM(
        num_tokens=50,
        dim=16,
        heads=2,
        depth=1,
        max_seq_len=32,
        causal=True,
        n_local_attn_heads=1,
        local_attn_window_size=8,
        ff_chunks=2,
    )
    return model, (tokens(1, 32),)


def case_linear_attention_reversible():
    from linear_attention_transformer import LinearAttentionTransformerLM

    model = LinearAttentionTransformerLM(
        num_tokens=50, dim=16, heads=2, depth=2, max_seq_len=32, reversible=True, ff_glu=True, shift_tokens=True
    )
    return model, (tokens(1, 32),), {"input_mask": torch.ones(1, 32).bool()}


def case_linear_attention_image():
    from linear_attention_transformer.images import ImageLinearAttention

    return ImageLinearAttention(chan=8, heads=2, key_dim=8, value_dim=8), (torch.randn(1, 8, 8, 8),)
