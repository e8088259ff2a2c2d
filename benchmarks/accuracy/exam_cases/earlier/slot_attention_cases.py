"""Cases of slot_attention."""

from __future__ import annotations

import torch

PACKAGES = ["slot_attention"]


def case_slot_attention():
    from slot_attention import SlotAttention

    return SlotAttention(num_slots=5, dim=16, iters=2), (torch.randn(2, 8, 16),)


def case_adaptive_slots():
    from slot_attention import AdaptiveSlotWrapper, MultiHeadSlotAttention

    return AdaptiveSlotWrapper(
        MultiHeadSlotAttention(dim=16, num_slots=5, iters=2, heads=2, dim_head=8), temperature=0.5
    ), (torch.randn(2, 8, 16),)
