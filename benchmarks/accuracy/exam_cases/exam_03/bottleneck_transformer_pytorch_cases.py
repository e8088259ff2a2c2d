"""Cases of bottleneck_transformer_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["bottleneck_transformer_pytorch"]


def case_bottleneck():
    from bottleneck_transformer_pytorch import BottleStack

    model = BottleStack(dim=8, fmap_size=8, dim_out=16, num_layers=2, heads=2, dim_head=4, rel_pos_emb=True)
    return model, (torch.rand(2, 8, 8, 8),)
