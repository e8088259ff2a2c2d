"""Cases of SR-GNN."""

from __future__ import annotations

from types import SimpleNamespace

import torch
from exam_surroundings import inside

PACKAGES = ["SR-GNN"]


def case_sr_gnn():
    inside("SR-GNN", "pytorch_code")
    from model import SessionGraph

    opt = SimpleNamespace(
        hiddenSize=16, batchSize=4, nonhybrid=False, step=1, lr=1e-3, l2=1e-5, lr_dc_step=3, lr_dc=0.1
    )
    return SessionGraph(opt, 30), (torch.randint(1, 30, (4, 6)), torch.rand(4, 6, 12))


def case_sr_gnn_scores():
    inside("SR-GNN", "pytorch_code")
    from model import SessionGraph

    opt = SimpleNamespace(hiddenSize=16, batchSize=4, nonhybrid=True, step=2, lr=1e-3, l2=1e-5, lr_dc_step=3, lr_dc=0.1)
    model = SessionGraph(opt, 30)
    return model.compute_scores, (torch.randn(4, 6, 16), torch.ones(4, 6).long())
