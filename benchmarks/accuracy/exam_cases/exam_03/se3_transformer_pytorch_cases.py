"""Cases of se3_transformer_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["se3_transformer_pytorch"]


def equivariant(**options):
    from se3_transformer_pytorch import SE3Transformer

    model = SE3Transformer(dim=8, heads=2, dim_head=4, depth=1, num_degrees=2, num_neighbors=3, **options)
    return model, (torch.randn(1, 6, 8), torch.randn(1, 6, 3), torch.ones(1, 6).bool())


def case_equivariant():
    return equivariant(valid_radius=10)


def case_equivariant_of_one_head():
    return equivariant(one_headed_key_values=True, use_null_kv=True)
