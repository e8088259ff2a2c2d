"""Cases of zuko."""

from __future__ import annotations

import torch

PACKAGES = ["zuko"]


class Density(torch.nn.Module):
    def forward(self, x, c=None):
        return self.flow(c).log_prob(x)


class DensityMAF(Density):
    def __init__(self) -> None:
        import zuko

        super().__init__()
        self.flow = zuko.flows.MAF(features=3, context=2, transforms=2, hidden_features=(8,))


def case_maf():
    return DensityMAF(), (torch.randn(4, 3), torch.randn(4, 2))


class DensityNSF(Density):
    def __init__(self) -> None:
        import zuko

        super().__init__()
        self.flow = zuko.flows.NSF(features=3, transforms=2, hidden_features=(8,))


def case_nsf():
    return DensityNSF(), (torch.randn(4, 3),)


class DensityRealNVP(Density):
    def __init__(self) -> None:
        import zuko

        super().__init__()
        self.flow = zuko.flows.RealNVP(features=4, transforms=2, hidden_features=(8,))


def case_real_nvp():
    return DensityRealNVP(), (torch.randn(4, 4),)


class DensityCNF(Density):
    def __init__(self) -> None:
        import zuko

        super().__init__()
        self.flow = zuko.flows.CNF(features=3, hidden_features=(8,))


def case_cnf():
    return DensityCNF(), (torch.randn(4, 3),)


class DensityNAF(Density):
    def __init__(self) -> None:
        import zuko

        super().__init__()
        self.flow = zuko.flows.NAF(features=3, transforms=1, hidden_features=(8,))


def case_naf():
    return DensityNAF(), (torch.randn(4, 3),)


class DensityUNAF(Density):
    def __init__(self) -> None:
        import zuko

        super().__init__()
        self.flow = zuko.flows.UNAF(features=3, transforms=1, hidden_features=(8,))


def case_unaf():
    return DensityUNAF(), (torch.randn(4, 3),)


class DensitySOSPF(Density):
    def __init__(self) -> None:
        import zuko

        super().__init__()
        self.flow = zuko.flows.SOSPF(features=3, transforms=1, hidden_features=(8,))


def case_sospf():
    return DensitySOSPF(), (torch.randn(4, 3),)


class DensityBPF(Density):
    def __init__(self) -> None:
        import zuko

        super().__init__()
        self.flow = zuko.flows.BPF(features=3, transforms=1, hidden_features=(8,))


def case_bpf():
    return DensityBPF(), (torch.randn(4, 3),)


class DensityGF(Density):
    def __init__(self) -> None:
        import zuko

        super().__init__()
        self.flow = zuko.flows.GF(features=3, transforms=1, hidden_features=(8,))


def case_gf():
    return DensityGF(), (torch.randn(4, 3),)


class DensityGMM(Density):
    def __init__(self) -> None:
        import zuko

        super().__init__()
        self.flow = zuko.mixtures.GMM(features=3, components=2)


def case_gmm():
    return DensityGMM(), (torch.randn(4, 3),)
