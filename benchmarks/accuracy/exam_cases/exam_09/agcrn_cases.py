"""Cases of AGCRN."""

from __future__ import annotations

from types import SimpleNamespace

import torch
from exam_surroundings import inside

PACKAGES = ["AGCRN"]


def case_agcrn():
    inside("AGCRN")
    from model.AGCRN import AGCRN

    args = SimpleNamespace(
        num_nodes=10,
        input_dim=1,
        rnn_units=16,
        output_dim=1,
        horizon=12,
        num_layers=2,
        default_graph=True,
        embed_dim=4,
        cheb_k=2,
    )
    model = AGCRN(args)
    for parameter in model.parameters():
        torch.nn.init.uniform_(parameter)
    return model, (torch.randn(2, 12, 10, 1), torch.randn(2, 12, 10, 1))
