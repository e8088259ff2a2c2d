"""Cases of mixture_of_experts."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["mixture_of_experts"]


def case_experts():
    from mixture_of_experts import MoE

    return MoE(dim=16, num_experts=4), (torch.randn(2, 32, 16),)


def case_experts_by_threshold():
    from mixture_of_experts import MoE

    return MoE(dim=16, num_experts=4, second_policy_eval="threshold"), (torch.randn(2, 32, 16),)


def case_experts_of_experts():
    from mixture_of_experts import HeirarchicalMoE

    return HeirarchicalMoE(dim=16, num_experts=(2, 2)), (torch.randn(2, 32, 16),)
