"""Cases of colt5_attention."""

from __future__ import annotations

import torch

PACKAGES = ["colt5_attention"]


def case_colt5_block():
    from colt5_attention import ConditionalRoutedTransformerBlock

    model = ConditionalRoutedTransformerBlock(
        dim=16, light_dim_head=8, light_heads=2, light_window_size=8, heavy_dim_head=8, heavy_heads=2, light_ff_mult=1,
        heavy_ff_mult=2, num_heavy_ff_tokens=4, num_heavy_attn_tokens_q=4, num_heavy_attn_tokens_kv=4,
    )  # fmt: skip
    return model, (torch.randn(2, 32, 16),), {"mask": torch.ones(2, 32).bool()}


def case_colt5_feedforward():
    from colt5_attention import ConditionalRoutedFeedForward

    return ConditionalRoutedFeedForward(dim=16, num_heavy_tokens=4), (torch.randn(2, 32, 16),)


def case_colt5_autoregressive():
    from colt5_attention import ConditionalRoutedAutoregressiveAttention

    model = ConditionalRoutedAutoregressiveAttention(
        dim=16, light_dim_head=8, light_heads=2, light_window_size=8, heavy_window_size=8, heavy_dim_head=8,
        heavy_heads=2, num_heavy_tokens_q=4, num_heavy_tokens_kv=4, num_routed_kv=2,
    )  # fmt: skip
    return model, (torch.randn(2, 32, 16),)


def case_colt5_cross():
    from colt5_attention import ConditionalRoutedCrossAttention

    model = ConditionalRoutedCrossAttention(
        dim=16, dim_head=8, heads=4, num_tokens_q=4, num_tokens_kv=8, kv_routing_tokens=2
    )
    return model, (torch.randn(1, 16, 16), torch.randn(1, 64, 16)), {"mask": torch.ones(1, 16).bool()}


def case_colt5_image():
    from colt5_attention import ConditionalRoutedImageAttention

    model = ConditionalRoutedImageAttention(
        dim=8, light_dim_head=8, light_heads=2, light_window_size=4, channel_first=True, heavy_dim_head=8,
        heavy_heads=2, num_heavy_tokens_q=4, num_heavy_tokens_kv=4,
    )  # fmt: skip
    return model, (torch.randn(1, 8, 16, 16),)
