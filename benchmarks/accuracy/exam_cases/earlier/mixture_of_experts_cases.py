"""Cases of mixture_of_experts."""

from __future__ import annotations

import torch

PACKAGES = ["mixture_of_experts"]


def case_moe():
    from mixture_of_experts import MoE

    return MoE(dim=16, num_experts=4, hidden_dim=16), (torch.randn(2, 16, 16),)


def case_hierarchical_moe():
    from mixture_of_experts import HeirarchicalMoE

    return HeirarchicalMoE(dim=16, num_experts=(2, 2)), (torch.randn(2, 16, 16),)
