"""Cases of flowtorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["flowtorch"]


def case_flowtorch_affine():
    import flowtorch.bijectors as bij
    from flowtorch.parameters import DenseAutoregressive

    class Density(nn.Module):
        def __init__(self):
            super().__init__()
            base = torch.distributions.Independent(torch.distributions.Normal(torch.zeros(3), torch.ones(3)), 1)
            from flowtorch.distributions import Flow

            self.flow = Flow(base, bij.AffineAutoregressive(params_fn=DenseAutoregressive(hidden_dims=(8,))))

        def forward(self, x):
            return self.flow.log_prob(x)

    return Density(), (torch.rand(4, 3),)
