"""Cases of MTGNN."""

from __future__ import annotations

import torch
from exam_surroundings import inside

PACKAGES = ["MTGNN"]


def case_mtgnn():
    inside("MTGNN")
    from net import gtnet

    model = gtnet(
        True,
        True,
        2,
        10,
        "cpu",
        subgraph_size=4,
        conv_channels=8,
        residual_channels=8,
        skip_channels=8,
        end_channels=16,
        seq_length=12,
        in_dim=2,
        out_dim=12,
        layers=2,
    )
    return model, (torch.randn(2, 2, 10, 12), torch.arange(10))


def case_mtgnn_given_graph():
    inside("MTGNN")
    from net import gtnet

    model = gtnet(
        True,
        False,
        2,
        10,
        "cpu",
        predefined_A=torch.rand(10, 10),
        conv_channels=8,
        residual_channels=8,
        skip_channels=8,
        end_channels=16,
        seq_length=12,
        in_dim=2,
        out_dim=12,
        layers=2,
    )
    return model, (torch.randn(2, 2, 10, 12),)
