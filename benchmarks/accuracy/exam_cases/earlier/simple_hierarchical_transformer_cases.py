"""Cases of simple_hierarchical_transformer."""

from __future__ import annotations

import torch

PACKAGES = ["simple_hierarchical_transformer"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_hierarchical_transformer():
    from simple_hierarchical_transformer import HierarchicalTransformer

    model = HierarchicalTransformer(
        num_tokens=50, dim=16, depth=1, seq_len=32, hierarchies=(1, 2), window_sizes=(8, None), dim_head=8, heads=2
    )
    return model, (tokens(1, 32),), {"return_loss": True}
