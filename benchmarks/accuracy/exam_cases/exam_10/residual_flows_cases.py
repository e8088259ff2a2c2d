"""Cases of residual-flows."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["residual-flows"]


def case_residual_flow_actnorm():
    inside("residual-flows")
    from resflows.layers import ActNorm1d

    return ActNorm1d(3), (torch.randn(4, 3), torch.zeros(4, 1))


def case_residual_flow_batch_norm():
    inside("residual-flows")
    from resflows.layers import MovingBatchNorm1d

    return MovingBatchNorm1d(3), (torch.randn(4, 3), torch.zeros(4, 1))


def case_residual_flow_coupling():
    inside("residual-flows")
    from resflows.layers import CouplingBlock

    net = torch.nn.Linear(2, 4)
    return CouplingBlock(4, net, swap=True), (torch.randn(4, 4), torch.zeros(4, 1))
