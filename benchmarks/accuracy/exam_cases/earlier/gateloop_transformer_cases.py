"""Cases of gateloop_transformer."""

from __future__ import annotations

import torch

PACKAGES = ["gateloop_transformer"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_gateloop():
    from gateloop_transformer import Transformer

    return Transformer(num_tokens=50, dim=16, depth=1, heads=2, dim_head=8), (tokens(1, 16),)


def case_gateloop_full():
    from gateloop_transformer import Transformer

    model = Transformer(
        num_tokens=50,
        dim=16,
        depth=1,
        heads=2,
        dim_head=8,
        use_gate_looped_attn=False,
        rotary_emb=True,
        data_dependent_rel_pos=True,
    )
    return model, (tokens(1, 17),), {"return_loss": True}


def case_simple_gateloop():
    from gateloop_transformer import SimpleGateLoopLayer

    return SimpleGateLoopLayer(16), (torch.randn(1, 16, 16),)
