"""Cases of routing_transformer."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["routing_transformer"]


def case_routing():
    from routing_transformer import RoutingTransformerLM

    model = RoutingTransformerLM(
        num_tokens=9, dim=8, heads=2, depth=2, max_seq_len=16, window_size=4, dim_head=4, n_local_attn_heads=1,
        local_attn_window_size=4, causal=True, ff_chunks=2, tie_embedding=True,
    )  # fmt: skip
    return model, (torch.randint(0, 9, (1, 16)),)


def case_routing_loss():
    from routing_transformer import AutoregressiveWrapper, RoutingTransformerLM

    model = RoutingTransformerLM(
        num_tokens=9, dim=8, heads=2, depth=1, max_seq_len=16, window_size=4, dim_head=4, n_local_attn_heads=1,
        local_attn_window_size=4, causal=True, reversible=True,
    )  # fmt: skip
    return AutoregressiveWrapper(model), (torch.randint(0, 9, (1, 17)),), {"return_loss": True}
