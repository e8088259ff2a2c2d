"""Physics, chemistry, flows and spiking networks."""

from __future__ import annotations

import torch

PACKAGES = ["torchani", "torchcde", "torchdiffeq", "zuko", "snntorch", "kan", "neuralop", "torch_harmonics"]


def case_ani():
    import torchani

    model = (
        torchani.arch.simple_ani(("H", "C"), lot="wb97x-631gd", neighborlist="all_pairs")
        if hasattr(torchani.arch, "simple_ani")
        else None
    )
    return model, ((torch.tensor([[6, 1, 1, 1, 1]]), torch.randn(1, 5, 3)),)


def case_ani_cell_list():
    import torchani

    model = torchani.arch.simple_ani(("H", "C"), lot="wb97x-631gd", neighborlist="cell_list")
    return model, ((torch.tensor([[6, 1, 1, 1, 1]]), torch.randn(1, 5, 3) * 3),)


def case_ani_repulsion():
    import torchani

    model = torchani.arch.simple_ani(("H", "C"), lot="wb97x-631gd", repulsion=True, dispersion=True)
    return model, ((torch.tensor([[6, 1, 1, 1, 1]]), torch.randn(1, 5, 3)),)


def case_ani_charges():
    import torchani

    model = torchani.arch.simple_aniq(("H", "C"), lot="wb97x-631gd")
    return model, ((torch.tensor([[6, 1, 1, 1, 1]]), torch.randn(1, 5, 3)),)


def case_charge_normalizer():
    from torchani.electro import ChargeNormalizer

    return ChargeNormalizer(("H", "C")), (torch.tensor([[1, 0, 0]]), torch.randn(1, 3))


def case_species_converter():
    from torchani.nn import SpeciesConverter

    return SpeciesConverter(("H", "C")), (torch.tensor([[6, 1, 1]]),)


class Field(torch.nn.Module):
    def __init__(self, inputs: int = 4, outputs: int = 4) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(inputs, outputs)

    def forward(self, t, x):
        return self.layer(x).tanh()


class Dopri5(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.field = Field()

    def forward(self, x):
        from torchdiffeq import odeint

        return odeint(self.field, x, torch.linspace(0, 1, 3))


class Rk4(Dopri5):
    def forward(self, x):
        from torchdiffeq import odeint

        return odeint(self.field, x, torch.linspace(0, 1, 3), method="rk4")


class Euler(Dopri5):
    def forward(self, x):
        from torchdiffeq import odeint

        return odeint(self.field, x, torch.linspace(0, 1, 3), method="euler")


class Adams(Dopri5):
    def forward(self, x):
        from torchdiffeq import odeint

        return odeint(self.field, x, torch.linspace(0, 1, 3), method="implicit_adams")


class Adjoint(Dopri5):
    def forward(self, x):
        from torchdiffeq import odeint_adjoint

        return odeint_adjoint(self.field, x, torch.linspace(0, 1, 3), method="dopri5")


def case_odeint_dopri5():
    return Dopri5(), (torch.randn(2, 4),)


def case_odeint_rk4():
    return Rk4(), (torch.randn(2, 4),)


def case_odeint_euler():
    return Euler(), (torch.randn(2, 4),)


def case_odeint_adams():
    return Adams(), (torch.randn(2, 4),)


def case_odeint_adjoint():
    return Adjoint(), (torch.randn(2, 4),)


class Controlled(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.field = Field(4, 12)

    def forward(self, x):
        import torchcde

        path = torchcde.CubicSpline(torchcde.hermite_cubic_coefficients_with_backward_differences(x))

        def field(t, z):
            return self.field(t, z).view(z.size(0), 4, 3)

        return torchcde.cdeint(
            X=path, z0=torch.zeros(x.size(0), 4), func=field, t=path.interval, adjoint=False, method="rk4"
        )


def case_controlled_equation():
    return Controlled(), (torch.randn(2, 5, 3),)


class Interpolated(torch.nn.Module):
    def forward(self, x):
        import torchcde

        return torchcde.LinearInterpolation(torchcde.linear_interpolation_coeffs(x)).evaluate(torch.tensor(1.5))


def case_linear_interpolation():
    return Interpolated(), (torch.randn(2, 5, 3),)


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


def case_leaky():
    import snntorch

    return snntorch.Leaky(beta=0.9), (torch.rand(4, 3),)


def case_leaky_hidden():
    import snntorch

    return snntorch.Leaky(beta=0.9, init_hidden=True, learn_beta=True, inhibition=True), (torch.rand(4, 3),)


def case_leaky_zero():
    import snntorch

    return snntorch.Leaky(beta=0.9, reset_mechanism="zero", reset_delay=False), (torch.rand(4, 3), torch.rand(4, 3))


def case_synaptic():
    import snntorch

    return snntorch.Synaptic(alpha=0.8, beta=0.9), (torch.rand(4, 3),)


def case_alpha():
    import snntorch

    return snntorch.Alpha(alpha=0.8, beta=0.7), (torch.rand(4, 3),)


def case_lapicque():
    import snntorch

    return snntorch.Lapicque(beta=0.9), (torch.rand(4, 3),)


def case_rleaky():
    import snntorch

    return snntorch.RLeaky(beta=0.9, linear_features=3), (torch.rand(4, 3), torch.rand(4, 3), torch.rand(4, 3))


def case_slstm():
    import snntorch

    return snntorch.SLSTM(3, 5), (torch.rand(4, 3),)


def case_sconv_lstm():
    import snntorch

    return snntorch.SConv2dLSTM(1, 2, 3, max_pool=2), (torch.rand(4, 1, 8, 8),)


def case_kan():
    from kan import KAN

    return KAN(width=[2, 3, 1], grid=3, k=3, seed=0, auto_save=False), (torch.rand(8, 2),)


def case_kan_multiplying():
    from kan import KAN

    return KAN(width=[2, [2, 1], 1], grid=3, k=3, seed=0, auto_save=False), (torch.rand(8, 2),)


def case_kan_layer():
    from kan.KANLayer import KANLayer

    return KANLayer(in_dim=3, out_dim=2, num=4, k=3), (torch.rand(8, 3),)


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


def case_spherical_transform():
    from torch_harmonics import RealSHT

    return RealSHT(8, 16), (torch.randn(1, 8, 16),)


def case_spherical_attention():
    from torch_harmonics import AttentionS2

    return AttentionS2(4, 1, (8, 16), (8, 16)), (torch.randn(1, 4, 8, 16),)
