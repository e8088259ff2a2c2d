"""Cases of timesformer_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["timesformer_pytorch"]


def case_timesformer():
    from timesformer_pytorch import TimeSformer

    model = TimeSformer(dim=16, image_size=16, patch_size=8, num_frames=4, num_classes=3, depth=2, heads=2, dim_head=8)
    return model, (torch.randn(1, 4, 3, 16, 16),), {"mask": torch.ones(1, 4).bool()}


def case_timesformer_without_rotation():
    from timesformer_pytorch import TimeSformer

    model = TimeSformer(
        dim=16, image_size=16, patch_size=8, num_frames=4, num_classes=3, depth=2, heads=2, dim_head=8, rotary_emb=False
    )
    return model, (torch.randn(1, 4, 3, 16, 16),)
