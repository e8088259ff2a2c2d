"""Cases of simple_hierarchical_transformer."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["simple_hierarchical_transformer"]


def case_hierarchical():
    from simple_hierarchical_transformer import HierarchicalTransformer

    model = HierarchicalTransformer(
        num_tokens=9, dim=8, depth=2, seq_len=16, dim_head=4, heads=2, hierarchies=(1, 2), window_sizes=(8, None),
    )  # fmt: skip
    return model, (torch.randint(0, 9, (1, 17)),), {"return_loss": True}
