"""Cases of en_transformer."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["en_transformer"]


def case_equivariant_transformer():
    from en_transformer import EnTransformer

    model = EnTransformer(dim=16, depth=2, num_tokens=10, dim_head=32, heads=2, neighbors=4, rel_pos_emb=True)
    return model, (torch.randint(0, 10, (1, 12)), torch.randn(1, 12, 3)), {"mask": torch.ones(1, 12).bool()}


def case_equivariant_attention():
    from en_transformer import EquivariantAttention

    model = EquivariantAttention(dim=16, dim_head=8, heads=2, only_sparse_neighbors=True)
    return model, (torch.randn(1, 12, 16), torch.randn(1, 12, 3)), {"adj_mat": torch.rand(1, 12, 12) > 0.5}
