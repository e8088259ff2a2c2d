"""Cases of slot_attention."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["slot_attention"]


def case_slots():
    from slot_attention import SlotAttention

    return SlotAttention(3, 8), (torch.rand(2, 10, 8),)


def case_slots_heads():
    from slot_attention import MultiHeadSlotAttention

    return MultiHeadSlotAttention(3, 8, heads=2, dim_head=4), (torch.rand(2, 10, 8),)


def case_slots_adaptive():
    from slot_attention import AdaptiveSlotWrapper, MultiHeadSlotAttention

    return AdaptiveSlotWrapper(MultiHeadSlotAttention(3, 8, heads=2, dim_head=4)), (torch.rand(2, 10, 8),)


def case_slots_experimental():
    from slot_attention import SlotAttentionExperimental

    return SlotAttentionExperimental(3, 8), (torch.rand(2, 10, 8),)
