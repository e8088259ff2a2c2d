"""Cases of tab_transformer_pytorch."""

from __future__ import annotations

import torch

PACKAGES = ["tab_transformer_pytorch"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_tab_transformer():
    from tab_transformer_pytorch import TabTransformer

    model = TabTransformer(
        categories=(10, 5),
        num_continuous=3,
        dim=16,
        dim_out=1,
        depth=1,
        heads=2,
        dim_head=8,
        continuous_mean_std=torch.randn(3, 2),
    )
    return model, (tokens(2, 2, upper=5), torch.randn(2, 3))


def case_ft_transformer():
    from tab_transformer_pytorch import FTTransformer

    return FTTransformer(categories=(10, 5), num_continuous=3, dim=16, dim_out=1, depth=1, heads=2, dim_head=8), (
        tokens(2, 2, upper=5),
        torch.randn(2, 3),
    )
