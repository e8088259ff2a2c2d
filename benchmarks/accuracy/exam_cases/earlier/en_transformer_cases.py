"""Cases of en_transformer."""

from __future__ import annotations

import torch

PACKAGES = ["en_transformer"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_en_transformer():
    from en_transformer import EnTransformer

    model = EnTransformer(dim=16, depth=2, dim_head=32, heads=2, edge_dim=4, neighbors=4)
    return (
        model,
        (torch.randn(1, 8, 16), torch.randn(1, 8, 3), torch.randn(1, 8, 8, 4)),
        {"mask": torch.ones(1, 8).bool()},
    )


def case_en_transformer_sparse():
    from en_transformer import EnTransformer

    model = EnTransformer(
        num_tokens=21,
        dim=16,
        depth=1,
        dim_head=32,
        heads=2,
        num_adj_degrees=2,
        adj_dim=4,
        only_sparse_neighbors=True,
        rel_pos_emb=True,
    )
    i = torch.arange(16)
    adjacent = (i[:, None] <= (i[None] + 1)) & (i[:, None] >= (i[None] - 1))
    return (
        model,
        (tokens(1, 16, upper=21), torch.randn(1, 16, 3)),
        {"adj_mat": adjacent, "mask": torch.ones(1, 16).bool()},
    )
