"""Cases of axial_positional_embedding."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["axial_positional_embedding"]


def case_axial_positions():
    from axial_positional_embedding import AxialPositionalEmbedding

    return AxialPositionalEmbedding(dim=8, axial_shape=(4, 4)), (torch.randn(1, 16, 8),)
