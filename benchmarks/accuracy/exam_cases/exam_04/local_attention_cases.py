"""Cases of local_attention."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["local_attention"]


def case_local_attention():
    from local_attention import LocalAttention

    q = torch.randn(1, 2, 10, 4)
    return (
        LocalAttention(4, causal=True, autopad=True, dim=4, look_backward=1),
        (q, q, q),
        {"mask": torch.ones(1, 10).bool()},
    )


def case_local_transformer():
    from local_attention import LocalTransformer

    return LocalTransformer(
        num_tokens=12, max_seq_len=16, dim=8, depth=1, local_attn_window_size=4, dim_head=4, heads=2
    ), (torch.randint(0, 12, (1, 9)),)
