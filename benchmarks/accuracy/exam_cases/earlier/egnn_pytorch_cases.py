"""Cases of egnn_pytorch."""

from __future__ import annotations

import torch

PACKAGES = ["egnn_pytorch"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_egnn():
    from egnn_pytorch import EGNN

    return EGNN(dim=16, edge_dim=4), (torch.randn(1, 8, 16), torch.randn(1, 8, 3), torch.randn(1, 8, 8, 4))


def case_egnn_nearest():
    from egnn_pytorch import EGNN

    model = EGNN(dim=16, num_nearest_neighbors=3, norm_coors=True, soft_edges=True, fourier_features=2)
    return model, (torch.randn(1, 8, 16), torch.randn(1, 8, 3)), {"mask": torch.ones(1, 8).bool()}


def case_egnn_network():
    from egnn_pytorch import EGNN_Network

    model = EGNN_Network(
        num_tokens=21, num_positions=32, dim=16, depth=2, num_nearest_neighbors=3, coor_weights_clamp_value=2.0
    )
    return model, (tokens(1, 16, upper=21), torch.randn(1, 16, 3)), {"mask": torch.ones(1, 16).bool()}


def case_egnn_network_sparse():
    from egnn_pytorch import EGNN_Network

    model = EGNN_Network(
        num_tokens=21,
        dim=16,
        depth=2,
        only_sparse_neighbors=True,
        num_adj_degrees=2,
        adj_dim=4,
        global_linear_attn_every=1,
        num_global_tokens=2,
    )
    i = torch.arange(16)
    adjacent = (i[:, None] >= (i[None] - 1)) & (i[:, None] <= (i[None] + 1))
    return model, (tokens(1, 16, upper=21), torch.randn(1, 16, 3)), {"adj_mat": adjacent}
