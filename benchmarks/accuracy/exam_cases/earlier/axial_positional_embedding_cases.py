"""Cases of axial_positional_embedding."""

from __future__ import annotations

import torch

PACKAGES = ["axial_positional_embedding"]


def case_axial_positions():
    from axial_positional_embedding import AxialPositionalEmbedding

    return AxialPositionalEmbedding(dim=16, axial_shape=(8, 8)), (torch.randn(1, 30, 16),)


def case_continuous_axial_positions():
    from axial_positional_embedding import ContinuousAxialPositionalEmbedding

    return ContinuousAxialPositionalEmbedding(dim=16, num_axial_dims=3), ((2, 3, 4),)
