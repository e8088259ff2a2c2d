"""Cases of axial_attention."""

from __future__ import annotations

import torch

PACKAGES = ["axial_attention"]


def case_axial_attention():
    from axial_attention import AxialImageTransformer

    return AxialImageTransformer(dim=8, depth=2, heads=2, reversible=True, axial_pos_emb_shape=(8, 8)), (
        torch.randn(1, 8, 8, 8),
    )


def case_axial_attention_plain():
    from axial_attention import AxialAttention

    return AxialAttention(dim=8, dim_index=1, heads=2, num_dimensions=2), (torch.randn(1, 8, 8, 8),)
