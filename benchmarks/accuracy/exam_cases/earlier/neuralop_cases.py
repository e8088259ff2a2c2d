"""Cases of neuralop."""

from __future__ import annotations

import torch

PACKAGES = ["neuralop"]


def case_fno():
    from neuralop.models import FNO

    return FNO(n_modes=(4, 4), in_channels=1, out_channels=1, hidden_channels=4, n_layers=2), (torch.randn(1, 1, 8, 8),)


def case_fno_padded():
    from neuralop.models import FNO

    return FNO(
        n_modes=(4, 4),
        in_channels=1,
        out_channels=1,
        hidden_channels=4,
        n_layers=2,
        domain_padding=0.2,
        norm="ada_in" if False else "group_norm",
    ), (torch.randn(1, 1, 8, 8),)


def case_uno():
    from neuralop.models import UNO

    model = UNO(
        in_channels=1,
        out_channels=1,
        hidden_channels=8,
        n_layers=3,
        uno_out_channels=[8, 8, 8],
        uno_n_modes=[[2, 2]] * 3,
        uno_scalings=[[1, 1], [0.5, 0.5], [2, 2]],
    )
    return model, (torch.randn(1, 1, 8, 8),)


def case_local_no():
    from neuralop.models.local_no import LocalNO

    return LocalNO(
        n_modes=(4, 4), in_channels=1, out_channels=1, hidden_channels=4, default_in_shape=(8, 8), n_layers=1
    ), (torch.randn(1, 1, 8, 8),)


def case_gno_block():
    from neuralop.layers.gno_block import GNOBlock

    model = GNOBlock(
        in_channels=3,
        out_channels=3,
        coord_dim=2,
        radius=0.5,
        use_open3d_neighbor_search=False,
        use_torch_scatter_reduce=False,
        channel_mlp_layers=[8, 8],
    )
    return model, (torch.rand(6, 2), torch.rand(5, 2), torch.randn(6, 3))


def case_codano():
    from neuralop.models import CODANO

    return CODANO(
        n_layers=2,
        n_modes=[[4, 4], [4, 4]],
        per_layer_scaling_factors=[[1, 1], [1, 1]],
        n_heads=[1, 1],
        attention_scaling_factors=[1, 1],
    ), (torch.randn(1, 2, 8, 8),)


def case_fourier_continuation():
    from neuralop.layers.fourier_continuation import FCLegendre

    return FCLegendre(d=2, n_additional_pts=10), (torch.randn(1, 16), 1)
