"""Cases of normflows."""

from __future__ import annotations

import torch

PACKAGES = ["normflows"]


class LogProb(torch.nn.Module):
    def __init__(self, flow) -> None:
        super().__init__()
        self.flow = flow

    def forward(self, x):
        return self.flow.log_prob(x)


def normal_flow(*flows):
    import normflows as nf

    return nf.NormalizingFlow(nf.distributions.DiagGaussian(4), list(flows))


def case_planar():
    import normflows as nf

    return normal_flow(nf.flows.Planar((4,)), nf.flows.Radial((4,))), (torch.randn(8, 4),)


def case_affine_couplings():
    import normflows as nf

    net = nf.nets.MLP([2, 8, 4], init_zeros=True)
    return LogProb(normal_flow(nf.flows.AffineCouplingBlock(net), nf.flows.Permute(4), nf.flows.ActNorm(4))), (
        torch.randn(8, 4),
    )


def case_spline_couplings():
    import normflows as nf

    flows = [nf.flows.CoupledRationalQuadraticSpline(4, 1, 8), nf.flows.LULinearPermute(4)]
    return LogProb(normal_flow(*flows)), (torch.randn(8, 4),)


def case_autoregressive_splines():
    import normflows as nf

    return LogProb(normal_flow(nf.flows.AutoregressiveRationalQuadraticSpline(4, 1, 8))), (torch.randn(8, 4),)


def case_residual_flow():
    import normflows as nf

    net = nf.nets.LipschitzMLP([4, 8, 4], init_zeros=True, lipschitz_const=0.9)
    return LogProb(normal_flow(nf.flows.Residual(net))), (torch.randn(8, 4),)


def case_glow():
    import normflows as nf

    return nf.flows.GlowBlock(4, 8), (torch.randn(2, 4, 8, 8),)


def case_flow_of_wrapped_coordinates():
    import normflows as nf

    return nf.flows.CircularAutoregressiveRationalQuadraticSpline(4, 1, 8, [1]), (torch.rand(8, 4),)
