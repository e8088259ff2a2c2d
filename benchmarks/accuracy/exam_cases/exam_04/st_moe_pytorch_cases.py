"""Cases of st_moe_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["st_moe_pytorch"]


def case_mixture_of_experts():
    from st_moe_pytorch import MoE

    return MoE(dim=8, num_experts=4, gating_top_n=2), (torch.randn(1, 6, 8),)


def case_sparse_block_of_experts():
    from st_moe_pytorch import MoE, SparseMoEBlock

    return SparseMoEBlock(MoE(dim=8, num_experts=4), add_ff_before=True), (torch.randn(1, 6, 8),)
