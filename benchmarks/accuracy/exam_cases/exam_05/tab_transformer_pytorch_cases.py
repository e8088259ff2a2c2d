"""Cases of tab_transformer_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["tab_transformer_pytorch"]


def case_tab_transformer():
    from tab_transformer_pytorch import TabTransformer

    model = TabTransformer(
        categories=(4, 5), num_continuous=3, dim=8, depth=1, heads=2, continuous_mean_std=torch.rand(3, 2) + 1,
        num_residual_streams=1,
    )  # fmt: skip
    return model, (torch.randint(0, 4, (2, 2)), torch.rand(2, 3))


def case_ft_transformer():
    from tab_transformer_pytorch import FTTransformer

    return (
        FTTransformer(categories=(4, 5), num_continuous=3, dim=8, depth=1, heads=2, num_residual_streams=1),
        (torch.randint(0, 4, (2, 2)), torch.rand(2, 3)),
    )
