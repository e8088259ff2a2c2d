"""Separation of sounds, pitch, learning to rank, ordinal regression, tables, flows, geometry and Fourier transforms."""

from __future__ import annotations

import contextlib

import torch
from torch import nn

with contextlib.suppress(RuntimeError):  # torchvision's wheel is built for CUDA; its Python needs the operators' names
    torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.define("torchvision::qnms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

import torchgeometry as tgm
from allrank.models import losses
from asteroid import losses as separation
from asteroid.dsp import beamforming
from coral_pytorch import dataset as ranks

PACKAGES = (
    "asteroid openunmix torchcrepe torchfcpe bs_roformer allrank coral_pytorch rtdl_revisiting_models torch_frame "
    "tab_transformer_pytorch UMNN flowtorch torchcfm torchgeometry torchkbnufft pytorch_wavelets DISTS_pytorch "
    "siren_pytorch"
).split()


def wave(seconds: int = 1, sources: int = 0):
    shape = (2, sources, 4000 * seconds) if sources else (2, 4000 * seconds)
    return torch.randn(shape)


def case_asteroid_binarize():
    from asteroid.binarize import Binarize

    return Binarize(sample_rate=100), (torch.rand(2, 2, 200),)


def case_asteroid_scm():
    return beamforming.SCM(), (torch.randn(2, 3, 9, 20, dtype=torch.complex64), torch.rand(2, 9, 20))


def scms():
    a = torch.randn(2, 9, 3, 3, dtype=torch.complex64)
    a = a @ a.mH + 3 * torch.eye(3)
    return a.permute(0, 2, 3, 1)


def mix():
    return torch.randn(2, 3, 9, 20, dtype=torch.complex64)


def case_asteroid_mvdr():
    return beamforming.RTFMVDRBeamformer(), (mix(), scms(), scms())


def case_asteroid_souden():
    return beamforming.SoudenMVDRBeamformer(), (mix(), scms(), scms())


def case_asteroid_wiener():
    return beamforming.SDWMWFBeamformer(), (mix(), scms(), scms())


def case_asteroid_gev():
    return beamforming.GEVBeamformer(), (mix(), scms(), scms())


def case_asteroid_gevd():
    return beamforming.GEVDBeamformer(), (mix(), scms(), scms())


def case_asteroid_overlap_add():
    from asteroid.dsp.overlap_add import LambdaOverlapAdd

    class Half(nn.Module):
        def forward(self, x):
            return torch.stack([x, x], 1)[:, :, 0] if x.ndim == 3 else torch.stack([x, x], 1)

    return LambdaOverlapAdd(Half(), 2, 400), (torch.randn(1, 1, 2000),)


def case_asteroid_mixit():
    return (
        separation.MixITLossWrapper(separation.multisrc_mse),
        (torch.randn(2, 4, 100), torch.randn(2, 2, 100)),
    )


def case_asteroid_pit_matrix():
    return (
        separation.PITLossWrapper(separation.pairwise_neg_sisdr, pit_from="pw_mtx"),
        (torch.randn(2, 2, 100), torch.randn(2, 2, 100)),
    )


def case_asteroid_pit_point():
    return (
        separation.PITLossWrapper(separation.singlesrc_neg_sisdr, pit_from="pw_pt"),
        (torch.randn(2, 3, 100), torch.randn(2, 3, 100)),
        {"return_est": True},
    )


def case_asteroid_pit_permutation():
    return (
        separation.PITLossWrapper(separation.multisrc_neg_sisdr, pit_from="perm_avg"),
        (torch.randn(2, 2, 100), torch.randn(2, 2, 100)),
    )


def case_asteroid_sinkpit():
    return (
        separation.SinkPITLossWrapper(separation.pairwise_neg_sisdr, n_iter=3),
        (torch.randn(2, 2, 100), torch.randn(2, 2, 100)),
    )


def case_asteroid_multi_scale():
    loss = separation.SingleSrcMultiScaleSpectral(n_filters=[64, 32], windows_size=[64, 32], hops_size=[16, 8])
    return loss, (torch.randn(2, 400), torch.randn(2, 400))


def case_asteroid_pmsqe():
    return separation.SingleSrcPMSQE(), (torch.rand(2, 257, 10), torch.rand(2, 257, 10))


def case_asteroid_deep_clustering():
    class Loss(nn.Module):
        def forward(self, embedding, target):
            return separation.deep_clustering_loss(embedding, target)

    return Loss(), (torch.randn(2, 9 * 10, 4), torch.randint(0, 2, (2, 9, 10)))


def case_asteroid_conv_tasnet():
    from asteroid.models import ConvTasNet

    return ConvTasNet(2, n_blocks=2, n_repeats=1, bn_chan=8, hid_chan=8, skip_chan=8, n_filters=16), (wave(),)


def case_asteroid_dprnn():
    from asteroid.models import DPRNNTasNet

    return (
        DPRNNTasNet(2, bn_chan=8, hid_size=8, chunk_size=20, n_repeats=1, n_filters=16),
        (wave(),),
    )


def case_asteroid_dptnet():
    from asteroid.models import DPTNet

    return DPTNet(2, n_heads=2, ff_hid=8, chunk_size=20, n_repeats=1, n_filters=16), (wave(),)


def case_asteroid_sudormrf():
    from asteroid.models import SuDORMRFNet

    return SuDORMRFNet(2, bn_chan=8, num_blocks=1, upsampling_depth=2, n_filters=16), (wave(),)


def case_asteroid_lstm_tasnet():
    from asteroid.models import LSTMTasNet

    return LSTMTasNet(2, n_layers=1, hid_size=8, n_filters=16), (wave(),)


def case_asteroid_fasnet():
    from asteroid.models import FasNetTAC

    return (
        FasNetTAC(2, enc_dim=8, feature_dim=8, hidden_dim=8, n_layers=1, tac_hidden_dim=8, sample_rate=4000),
        (torch.randn(1, 2, 2000), torch.tensor([2])),
    )


def case_asteroid_dccrnet():
    from asteroid.models import DCCRNet

    return DCCRNet("mini"), (torch.randn(1, 4000),)


def case_asteroid_xumx():
    from asteroid.models import XUMX

    return (
        XUMX(["bass", "drums"], window_length=64, in_chan=64, n_hop=16, hidden_size=8, nb_layers=1),
        (torch.randn(1, 2, 1000),),
    )


def case_asteroid_tac():
    from asteroid.masknn.tac import TAC

    return TAC(4, 8), (torch.randn(2, 3, 4, 5, 6), torch.tensor([2, 3]))


def case_openunmix():
    from openunmix.model import OpenUnmix

    return OpenUnmix(nb_bins=33, hidden_size=8, nb_layers=1), (torch.rand(2, 2, 33, 10),)


def case_openunmix_separator():
    from openunmix.model import OpenUnmix, Separator

    targets = {"vocals": OpenUnmix(nb_bins=33, hidden_size=8, nb_layers=1), "drums": OpenUnmix(33, 2, 8, 1)}
    return Separator(targets, niter=1, n_fft=64, n_hop=16, wiener_win_len=20, residual=True), (torch.randn(1, 2, 1000),)


def case_torchcrepe():
    from torchcrepe.model import Crepe

    return Crepe("tiny"), (torch.randn(2, 1024),)


def case_torchcrepe_predict():
    import torchcrepe

    class Pitch(nn.Module):
        def __init__(self):
            super().__init__()
            self.decoder = torchcrepe.decode.weighted_argmax

        def forward(self, logits):
            return torchcrepe.postprocess(logits, decoder=self.decoder, return_periodicity=True)

    return Pitch(), (torch.rand(1, 360, 8),)


def case_torchcrepe_filter():
    import torchcrepe

    class Smooth(nn.Module):
        def forward(self, signals):
            return torchcrepe.filter.median(signals, 3) + torchcrepe.filter.mean(signals, 3)

    return Smooth(), (torch.rand(1, 20),)


def case_torchfcpe():
    from torchfcpe.models import CFNaiveMelPE

    return CFNaiveMelPE(16, 20, 16, n_heads=2, n_layers=1), (torch.rand(2, 12, 16),)


def case_torchfcpe_infer():
    from torchfcpe.models import CFNaiveMelPE

    class Infer(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = CFNaiveMelPE(16, 20, 16, n_heads=2, n_layers=1)

        def forward(self, mel):
            return self.model.infer(mel, decoder="local_argmax", threshold=0.05)

    return Infer(), (torch.rand(2, 12, 16),)


def case_bs_roformer():
    from bs_roformer import BSRoformer

    model = BSRoformer(
        8, depth=1, dim_head=8, heads=2, freqs_per_bands=(9, 24), stft_n_fft=64, stft_hop_length=16, flash_attn=False,
        stft_win_length=64, multi_stft_resolutions_window_sizes=(64, 32), multi_stft_hop_size=16,
    )  # fmt: skip
    return model, (torch.randn(1, 640), torch.randn(1, 640))


def case_mel_band_roformer():
    from bs_roformer import MelBandRoformer

    model = MelBandRoformer(
        8, depth=1, dim_head=8, heads=2, num_bands=6, stft_n_fft=128, stft_hop_length=32, flash_attn=False,
        stft_win_length=128, sample_rate=4000,
    )  # fmt: skip
    return model, (torch.randn(1, 640),)


def ranking(loss):
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return loss(predicted, true)

    return Loss(), (torch.randn(4, 6), torch.randint(0, 3, (4, 6)).float())


def case_rank_approx_ndcg():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.approxNDCGLoss(predicted, true)

    return Loss(), ranking(None)[1]


def case_rank_lambda():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.lambdaLoss(predicted, true, weighing_scheme="ndcgLoss2_scheme", k=3)

    return Loss(), ranking(None)[1]


def case_rank_list_mle():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.listMLE(predicted, true) + losses.listNet(predicted, true)

    return Loss(), ranking(None)[1]


def case_rank_net():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.rankNet(predicted, true, weight_by_diff=True)

    return Loss(), ranking(None)[1]


def case_rank_neural_ndcg():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.neuralNDCG(predicted, true, stochastic=True, n_samples=2)

    return Loss(), ranking(None)[1]


def case_rank_ordinal():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.ordinal(predicted, true, n=2) + losses.pointwise_rmse(predicted[..., 0], true, 2)

    return Loss(), (torch.rand(4, 6, 2), torch.randint(0, 3, (4, 6)).float())


def case_rank_bce():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.binary_listNet(predicted, true) + losses.bce(predicted.sigmoid(), true)

    return Loss(), (torch.randn(4, 6), torch.randint(0, 2, (4, 6)).float())


def case_allrank_model():
    from allrank.models.model import make_model

    model = make_model(
        {"sizes": [8], "input_norm": True, "activation": None, "dropout": 0.0},
        None,
        {"d_output": 1, "output_activation": None},
        5,
    )
    return model, (torch.rand(2, 4, 5), torch.zeros(2, 4, dtype=torch.bool), torch.arange(4).repeat(2, 1))


def case_allrank_metrics():
    from allrank.models import metrics

    class Metrics(nn.Module):
        def forward(self, predicted, true):
            return metrics.ndcg(predicted, true, ats=[2, 4]), metrics.mrr(predicted, true, ats=[2])

    return Metrics(), ranking(None)[1]


def case_coral():
    from coral_pytorch.layers import CoralLayer
    from coral_pytorch.losses import CoralLoss

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = CoralLayer(4, 5)
            self.loss = CoralLoss()

        def forward(self, x, levels):
            return self.loss(self.layer(x), levels)

    return Net(), (torch.rand(3, 4), ranks.levels_from_labelbatch(torch.tensor([0, 2, 4]), 5))


def case_corn():
    from coral_pytorch.losses import CornLoss

    return CornLoss(5), (torch.randn(6, 4), torch.tensor([0, 1, 2, 3, 4, 2]))


def case_levels():
    class Levels(nn.Module):
        def forward(self, labels):
            return ranks.levels_from_labelbatch(labels, 5)

    return Levels(), (torch.tensor([0, 2, 4]),)


def case_rtdl_ft():
    from rtdl_revisiting_models import FTTransformer

    model = FTTransformer(
        n_cont_features=3, cat_cardinalities=[4, 5], d_out=2, n_blocks=1, d_block=8, attention_n_heads=2,
        attention_dropout=0.1, ffn_d_hidden=8, ffn_d_hidden_multiplier=None, ffn_dropout=0.1, residual_dropout=0.0,
    )  # fmt: skip
    return model, (torch.rand(4, 3), torch.randint(0, 4, (4, 2)))


def case_rtdl_resnet():
    from rtdl_revisiting_models import ResNet

    return (
        ResNet(d_in=4, d_out=1, n_blocks=2, d_block=8, d_hidden_multiplier=2.0, dropout1=0.1, dropout2=0.0),
        (torch.rand(4, 4),),
    )


def frame_of():
    import pandas as pd
    import torch_frame
    from torch_frame.data import Dataset

    table = pd.DataFrame({"a": [1.0, 2.0, None, 4.0], "b": ["x", "y", "x", None], "y": [0, 1, 0, 1]})
    kinds = {"a": torch_frame.numerical, "b": torch_frame.categorical, "y": torch_frame.categorical}
    return Dataset(table, kinds, "y").materialize()


def frame_model(name: str, **options):
    from torch_frame.nn import models

    data = frame_of()
    model = getattr(models, name)(
        out_channels=2, col_stats=data.col_stats, col_names_dict=data.tensor_frame.col_names_dict, **options
    )
    return model, (data.tensor_frame,)


def case_frame_mlp():
    return frame_model("MLP", channels=8, num_layers=2)


def case_frame_ft():
    return frame_model("FTTransformer", channels=8, num_layers=1)


def case_frame_trompt():
    return frame_model("Trompt", channels=8, num_prompts=3, num_layers=2)


def case_frame_tabnet():
    return frame_model("TabNet", num_layers=2, split_feat_channels=4, split_attn_channels=4, gamma=1.2)


def case_frame_resnet():
    return frame_model("ResNet", channels=8, num_layers=2)


def case_frame_excel():
    from torch_frame.nn.conv import ExcelFormerConv

    return ExcelFormerConv(8, 3, 2), (torch.rand(2, 3, 8),)


def case_tab_transformer():
    from tab_transformer_pytorch import TabTransformer

    model = TabTransformer(
        categories=(4, 5), num_continuous=3, dim=8, depth=1, heads=2, continuous_mean_std=torch.rand(3, 2) + 1,
        num_residual_streams=1,
    )  # fmt: skip
    return model, (torch.randint(0, 4, (2, 2)), torch.rand(2, 3))


def case_ft_transformer():
    from tab_transformer_pytorch import FTTransformer

    return (
        FTTransformer(categories=(4, 5), num_continuous=3, dim=8, depth=1, heads=2, num_residual_streams=1),
        (torch.randint(0, 4, (2, 2)), torch.rand(2, 3)),
    )


def case_monotonic():
    from UMNN import MonotonicNN

    return MonotonicNN(3, [8], nb_steps=4), (torch.rand(4, 1), torch.rand(4, 2))


def case_umnn_flow():
    from UMNN import UMNNMAFFlow

    return UMNNMAFFlow(nb_flow=1, nb_in=3, hidden_derivative=[8], hidden_embedding=[8], nb_steps=4), (torch.rand(4, 3),)


def case_umnn_made():
    from UMNN.made import MADE

    return MADE(4, [8], 8, num_masks=1, natural_ordering=True), (torch.rand(3, 4),)


def case_umnn_log_likelihood():
    from UMNN import UMNNMAFFlow

    class Likelihood(nn.Module):
        def __init__(self):
            super().__init__()
            self.flow = UMNNMAFFlow(nb_flow=1, nb_in=3, hidden_derivative=[8], hidden_embedding=[8], nb_steps=4)

        def forward(self, x):
            return self.flow.compute_ll(x)

    return Likelihood(), (torch.rand(4, 3),)


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


def case_torchcfm_unet():
    from torchcfm.models.unet import UNetModel

    return (
        UNetModel((1, 8, 8), num_channels=32, num_res_blocks=1, channel_mult=(1, 2), attention_resolutions="4"),
        (torch.tensor([0.2, 0.5]), torch.rand(2, 1, 8, 8)),
    )


def case_torchcfm_matching():
    from torchcfm import ConditionalFlowMatcher

    class Step(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Linear(3, 2)
            self.matcher = ConditionalFlowMatcher(sigma=0.1)

        def forward(self, a, b):
            t, x, u = self.matcher.sample_location_and_conditional_flow(a, b)
            return ((self.net(torch.cat([x, t[:, None]], -1)) - u) ** 2).mean()

    return Step(), (torch.rand(4, 2), torch.rand(4, 2))


def case_torchcfm_ot():
    from torchcfm import ExactOptimalTransportConditionalFlowMatcher

    class Step(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Linear(3, 2)
            self.matcher = ExactOptimalTransportConditionalFlowMatcher(sigma=0.1)

        def forward(self, a, b):
            t, x, u = self.matcher.sample_location_and_conditional_flow(a, b)
            return ((self.net(torch.cat([x, t[:, None]], -1)) - u) ** 2).mean()

    return Step(), (torch.rand(4, 2), torch.rand(4, 2))


def case_torchcfm_schroedinger():
    from torchcfm import SchrodingerBridgeConditionalFlowMatcher

    class Step(nn.Module):
        def __init__(self):
            super().__init__()
            self.matcher = SchrodingerBridgeConditionalFlowMatcher(sigma=0.5)

        def forward(self, a, b):
            return self.matcher.sample_location_and_conditional_flow(a, b)[2]

    return Step(), (torch.rand(4, 2), torch.rand(4, 2))


def case_tgm_rotation():
    class Rotate(nn.Module):
        def forward(self, angle):
            return tgm.rotation_matrix_to_angle_axis(tgm.angle_axis_to_rotation_matrix(angle)[:, :3])

    return Rotate(), (torch.rand(4, 3),)


def case_tgm_quaternion():
    class Rotate(nn.Module):
        def forward(self, angle):
            q = tgm.angle_axis_to_quaternion(angle)
            return tgm.quaternion_to_angle_axis(q)

    return Rotate(), (torch.rand(4, 3),)


def case_tgm_homography():
    return tgm.HomographyWarper(8, 8), (torch.rand(2, 3, 8, 8), torch.eye(3).repeat(2, 1, 1))


def case_tgm_warp():
    class Warp(nn.Module):
        def forward(self, image, matrix):
            return tgm.warp_perspective(image, matrix, dsize=(6, 6))

    return Warp(), (torch.rand(2, 3, 8, 8), torch.eye(3).repeat(2, 1, 1))


def case_tgm_affine():
    class Warp(nn.Module):
        def forward(self, image, center, angle):
            matrix = tgm.get_rotation_matrix2d(center, angle, torch.ones(2))
            return tgm.warp_affine(image, matrix, dsize=(6, 6))

    return Warp(), (torch.rand(2, 3, 8, 8), torch.rand(2, 2) * 8, torch.rand(2))


def case_tgm_depth():
    pinhole = tgm.PinholeCamera(
        torch.eye(4)[None], torch.eye(4)[None], torch.tensor([8.0]), torch.tensor([8.0])
    )  # fmt: skip
    warper = tgm.DepthWarper(pinhole, 8, 8)
    warper.compute_projection_matrix(pinhole)
    return warper, (torch.rand(1, 1, 8, 8) + 1, torch.rand(1, 3, 8, 8))


def case_tgm_losses():
    class Losses(nn.Module):
        def __init__(self):
            super().__init__()
            self.dice, self.focal = tgm.losses.DiceLoss(), tgm.losses.FocalLoss(0.5, reduction="mean")
            self.tversky = tgm.losses.TverskyLoss(0.5, 0.5)

        def forward(self, x, y):
            return self.dice(x, y) + self.focal(x, y) + self.tversky(x, y)

    return Losses(), (torch.rand(2, 3, 4, 4), torch.randint(0, 3, (2, 4, 4)))


def case_tgm_ssim():
    return tgm.losses.SSIM(5, reduction="mean"), (torch.rand(2, 3, 16, 16), torch.rand(2, 3, 16, 16))


def case_tgm_smoothness():
    return tgm.losses.InverseDepthSmoothnessLoss(), (torch.rand(2, 1, 8, 8), torch.rand(2, 3, 8, 8))


def case_tgm_argmax():
    return tgm.contrib.SpatialSoftArgmax2d(), (torch.rand(2, 3, 8, 8),)


def case_tgm_patches():
    return tgm.contrib.ExtractTensorPatches(3, stride=2, padding=1), (torch.rand(2, 3, 8, 8),)


def case_kb_nufft():
    from torchkbnufft import KbNufft

    return KbNufft((8, 8)), (torch.randn(1, 1, 8, 8, dtype=torch.complex64), torch.rand(2, 20))


def case_kb_nufft_adjoint():
    from torchkbnufft import KbNufftAdjoint

    return KbNufftAdjoint((8, 8)), (torch.randn(1, 1, 20, dtype=torch.complex64), torch.rand(2, 20))


def case_kb_toep():
    import torchkbnufft as tkbn

    kernel = tkbn.calc_toeplitz_kernel(torch.rand(2, 20), (8, 8))
    return tkbn.ToepNufft(), (torch.randn(1, 1, 8, 8, dtype=torch.complex64), kernel)


def case_kb_density():
    import torchkbnufft as tkbn

    class Density(nn.Module):
        def forward(self, k):
            return tkbn.calc_density_compensation_function(k, (8, 8), num_iterations=2)

    return Density(), (torch.rand(2, 20),)


def case_dwt():
    from pytorch_wavelets import DWTForward

    return DWTForward(J=2, wave="db2", mode="symmetric"), (torch.rand(1, 2, 16, 16),)


def case_dwt_inverse():
    from pytorch_wavelets import DWTForward, DWTInverse

    class Both(nn.Module):
        def __init__(self):
            super().__init__()
            self.f, self.i = DWTForward(J=2, wave="db2", mode="zero"), DWTInverse(wave="db2", mode="zero")

        def forward(self, x):
            return self.i(self.f(x))

    return Both(), (torch.rand(1, 2, 16, 16),)


def case_dwt1d():
    from pytorch_wavelets import DWT1DForward

    return DWT1DForward(J=2, wave="db3"), (torch.rand(1, 2, 32),)


def case_dtcwt():
    from pytorch_wavelets import DTCWTForward

    return DTCWTForward(J=2), (torch.rand(1, 2, 16, 16),)


def case_scatter_layer():
    from pytorch_wavelets import ScatLayer

    return ScatLayer(), (torch.rand(1, 2, 16, 16),)


def case_dists():
    from DISTS_pytorch.DISTS_pt import L2pooling

    return L2pooling(channels=3), (torch.rand(1, 3, 8, 8),)


def case_siren():
    from siren_pytorch import SirenNet, SirenWrapper

    return SirenWrapper(SirenNet(2, 8, 3, 2), 8, 8, latent_dim=4), (torch.rand(1, 3, 8, 8),), {"latent": torch.rand(4)}
