"""Cases of soft_moe_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["soft_moe_pytorch"]


def case_soft_moe():
    from soft_moe_pytorch import SoftMoE

    return SoftMoE(8, seq_len=10, num_experts=2), (torch.rand(2, 10, 8), torch.ones(2, 10).bool())


def case_dynamic_moe():
    from soft_moe_pytorch import DynamicSlotsSoftMoE

    return DynamicSlotsSoftMoE(8, num_experts=2), (torch.rand(2, 10, 8),)
