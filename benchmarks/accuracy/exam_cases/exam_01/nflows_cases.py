"""Cases of nflows."""

from __future__ import annotations

import torch

PACKAGES = ["nflows"]


class LogProb(torch.nn.Module):
    def __init__(self, flow) -> None:
        super().__init__()
        self.flow = flow

    def forward(self, x):
        return self.flow.log_prob(x)


class Drawn(LogProb):
    def forward(self, n: int):
        return self.flow.sample(n)


def case_autoregressive_flow():
    from nflows.flows import MaskedAutoregressiveFlow

    return LogProb(MaskedAutoregressiveFlow(4, 8, 2, 1, batch_norm_between_layers=True)), (torch.randn(8, 4),)


def case_real_nvp():
    from nflows.flows import SimpleRealNVP

    return LogProb(SimpleRealNVP(4, 8, 2, 1)), (torch.randn(8, 4),)


def case_drawn_from_real_nvp():
    from nflows.flows import SimpleRealNVP

    return Drawn(SimpleRealNVP(4, 8, 2, 1)), (4,)


def transform(name: str, *options, **named):
    from nflows import transforms

    return getattr(transforms, name)(*options, **named), (torch.rand(8, 4),)


def case_rational_spline():
    return transform("PiecewiseRationalQuadraticCDF", [4], tails="linear")


def case_cubic_spline():
    return transform("PiecewiseCubicCDF", [4])


def case_linear_spline():
    return transform("PiecewiseLinearCDF", [4])


def case_autoregressive_spline():
    return transform("MaskedPiecewiseRationalQuadraticAutoregressiveTransform", 4, 8, tails="linear")


def case_lu_linear():
    return transform("LULinear", 4)


def case_svd_linear():
    return transform("SVDLinear", 4, 2)


def case_act_norm():
    return transform("ActNorm", 4)


def case_mixture_of_masks():
    from nflows.distributions import MADEMoG

    return LogProb(MADEMoG(4, 8, None, num_mixture_components=2)), (torch.randn(8, 4),)
