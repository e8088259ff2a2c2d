"""Cases of performer_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["performer_pytorch"]


def case_performer():
    from performer_pytorch import PerformerLM

    return PerformerLM(num_tokens=20, max_seq_len=16, dim=8, depth=2, heads=2, dim_head=4), (
        torch.randint(0, 20, (2, 16)),
    )


def case_causal_performer():
    from performer_pytorch import Performer

    return Performer(dim=8, depth=1, heads=2, dim_head=4, generalized_attention=True), (torch.randn(2, 16, 8),)
