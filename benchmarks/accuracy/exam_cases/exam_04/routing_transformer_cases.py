"""Cases of routing_transformer."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["routing_transformer"]


def case_routing():
    from routing_transformer import RoutingTransformerLM

    return RoutingTransformerLM(
        num_tokens=12, dim=8, heads=2, depth=1, max_seq_len=16, causal=True, window_size=4, n_local_attn_heads=1
    ), (torch.randint(0, 12, (1, 16)),)


def case_routing_padded():
    from routing_transformer import RoutingTransformerLM
    from routing_transformer.autopadder import Autopadder

    return (
        Autopadder(RoutingTransformerLM(num_tokens=12, dim=8, heads=2, depth=1, max_seq_len=16, window_size=4)),
        (torch.randint(0, 12, (1, 13)),),
        {"return_loss": False},
    )
