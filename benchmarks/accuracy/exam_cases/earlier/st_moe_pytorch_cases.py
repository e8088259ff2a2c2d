"""Cases of st_moe_pytorch."""

from __future__ import annotations

import torch

PACKAGES = ["st_moe_pytorch"]


def case_st_moe():
    from st_moe_pytorch import MoE

    return MoE(dim=16, num_experts=4, gating_top_n=2), (torch.randn(2, 16, 16),)


def case_sparse_moe_block():
    from st_moe_pytorch import MoE, SparseMoEBlock

    return (
        SparseMoEBlock(MoE(dim=16, num_experts=4, gating_top_n=2), add_ff_before=True, add_ff_after=True),
        (torch.randn(2, 16, 16),),
        {"noise_gates": True},
    )
