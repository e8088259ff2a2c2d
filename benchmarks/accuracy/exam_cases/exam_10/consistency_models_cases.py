"""Cases of consistency_models."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["consistency_models"]


def case_consistency_unet():
    inside("consistency_models")
    absent("flash_attn", "blobfile", "mpi4py")
    from cm.unet import UNetModel

    model = UNetModel(
        16, 3, 32, 3, 1, (2,), channel_mult=(1, 2), num_heads=2, num_head_channels=16, resblock_updown=True
    )
    return model, (torch.randn(2, 3, 16, 16), torch.tensor([3.0, 7.0]))
