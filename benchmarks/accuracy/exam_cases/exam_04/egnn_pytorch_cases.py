"""Cases of egnn_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["egnn_pytorch"]


def case_graph_of_atoms():
    from egnn_pytorch import EGNN

    return EGNN(dim=4, edge_dim=2, num_nearest_neighbors=2), (
        torch.randn(1, 5, 4),
        torch.randn(1, 5, 3),
        torch.randn(1, 5, 5, 2),
    )


def case_graph_of_atoms_masked():
    from egnn_pytorch import EGNN

    layer = EGNN(dim=4, fourier_features=1, norm_coors=True, soft_edges=True, coor_weights_clamp_value=2.0)
    return layer, (torch.randn(1, 5, 4), torch.randn(1, 5, 3)), {"mask": torch.ones(1, 5).bool()}


def case_network_of_atoms():
    from egnn_pytorch import EGNN_Network

    model = EGNN_Network(
        num_tokens=6,
        num_positions=8,
        dim=4,
        depth=1,
        only_sparse_neighbors=True,
        num_adj_degrees=2,
        adj_dim=2,
        global_linear_attn_every=1,
        global_linear_attn_heads=2,
        global_linear_attn_dim_head=2,
        num_global_tokens=2,
    )
    chain = torch.arange(5)
    adjacent = ((chain[:, None] <= chain[None] + 1) & (chain[:, None] >= chain[None] - 1)).bool()
    return (
        model,
        (torch.randint(0, 6, (1, 5)), torch.randn(1, 5, 3)),
        {"adj_mat": adjacent, "mask": torch.ones(1, 5).bool()},
    )
