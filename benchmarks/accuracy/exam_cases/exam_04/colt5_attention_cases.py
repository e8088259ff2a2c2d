"""Cases of colt5_attention."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["colt5_attention"]


def case_conditional_feed_forward():
    from colt5_attention import ConditionalRoutedFeedForward

    return ConditionalRoutedFeedForward(8, num_heavy_tokens=2), (torch.randn(1, 6, 8),)


def case_conditional_attention():
    from colt5_attention import ConditionalRoutedAttention

    return (
        ConditionalRoutedAttention(
            8, num_heavy_tokens_q=2, num_heavy_tokens_kv=2, light_window_size=2, light_dim_head=4, heavy_dim_head=4
        ),
        (torch.randn(1, 6, 8),),
        {"mask": torch.ones(1, 6).bool()},
    )
