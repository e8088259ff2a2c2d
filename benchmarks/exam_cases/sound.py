"""Audio codecs and filters, networks for series and tables."""

from __future__ import annotations

import torch

PACKAGES = ["encodec", "snac", "vocos", "julius", "pytorch_tcn", "tabm", "rtdl_num_embeddings"]


def case_encodec():
    from encodec import EncodecModel

    return EncodecModel.encodec_model_24khz(pretrained=False), (torch.randn(1, 1, 960),)


def case_encodec_48():
    from encodec import EncodecModel

    return EncodecModel.encodec_model_48khz(pretrained=False), (torch.randn(1, 2, 1920),)


def case_encodec_quantizer():
    from encodec.quantization.vq import ResidualVectorQuantizer

    return ResidualVectorQuantizer(dimension=8, n_q=2, bins=4, kmeans_init=True, kmeans_iters=2), (
        torch.randn(1, 8, 20),
        24000,
    )


def case_encodec_language_model():
    from encodec.model import LMModel

    return LMModel(n_q=2, card=8, dim=16, num_heads=2, num_layers=1), (torch.randint(0, 8, (1, 2, 4)),)


def case_encodec_discriminator():
    from encodec.msstftd import MultiScaleSTFTDiscriminator

    return MultiScaleSTFTDiscriminator(filters=4, n_ffts=[64], hop_lengths=[16], win_lengths=[64]), (
        torch.randn(1, 1, 400),
    )


def case_snac():
    from snac import SNAC

    model = SNAC(
        encoder_dim=4,
        encoder_rates=[2, 2],
        latent_dim=16,
        decoder_dim=16,
        decoder_rates=[2, 2],
        attn_window_size=None,
        codebook_size=8,
        codebook_dim=4,
        vq_strides=[2, 1],
    )
    return model, (torch.randn(1, 1, 50),)


def case_vocos():
    from vocos.heads import ISTFTHead
    from vocos.models import VocosBackbone

    return torch.nn.Sequential(VocosBackbone(8, 16, 16, 1), ISTFTHead(16, 32, 8)), (torch.randn(1, 8, 12),)


def case_vocos_adaptive():
    from vocos.models import VocosBackbone

    return (
        VocosBackbone(8, 16, 16, 1, adanorm_num_embeddings=3),
        (torch.randn(1, 8, 12),),
        {"bandwidth_id": torch.tensor([1])},
    )


def case_vocos_cosine():
    from vocos.heads import IMDCTCosHead

    return IMDCTCosHead(16, 16, clip_audio=True), (torch.randn(1, 12, 16),)


def case_vocos_symexp():
    from vocos.heads import IMDCTSymExpHead

    return IMDCTSymExpHead(16, 16), (torch.randn(1, 12, 16),)


def case_vocos_discriminators():
    from vocos.discriminators import MultiPeriodDiscriminator, MultiResolutionDiscriminator

    class Both(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.period, self.resolution = MultiPeriodDiscriminator((2, 3)), MultiResolutionDiscriminator((64,))

        def forward(self, y, z):
            return self.period(y, z), self.resolution(y, z)

    return Both(), (torch.randn(1, 300), torch.randn(1, 300))


def case_julius_bands():
    from julius import SplitBands

    return SplitBands(16000, n_bands=3), (torch.randn(1, 400),)


def case_julius_resample():
    from julius import ResampleFrac

    return ResampleFrac(4, 5), (torch.randn(1, 400),)


def case_julius_low_pass():
    from julius import LowPassFilter

    return LowPassFilter(0.2, stride=2), (torch.randn(1, 400),)


def case_julius_convolution():
    from julius import FFTConv1d

    return FFTConv1d(1, 2, 16, stride=2), (torch.randn(1, 1, 400),)


def case_tcn():
    from pytorch_tcn import TCN

    return TCN(num_inputs=3, num_channels=[4, 4], use_skip_connections=True), (torch.randn(1, 3, 16),)


def case_tcn_inference():
    from pytorch_tcn import TCN

    return TCN(num_inputs=3, num_channels=[4, 4]), (torch.randn(1, 3, 16),), {"inference": True}


def case_tcn_embeddings():
    from pytorch_tcn import TCN

    return TCN(num_inputs=3, num_channels=[4, 4], embedding_shapes=[(2,)], use_gate=True), (
        torch.randn(1, 3, 16),
        torch.randn(1, 2),
    )


def case_tabm():
    from tabm import TabM

    return TabM.make(n_num_features=3, cat_cardinalities=[4, 2], d_out=1, k=2, n_blocks=1, d_block=8), (
        torch.randn(5, 3),
        torch.randint(0, 2, (5, 2)),
    )


def case_tabm_embedded():
    from rtdl_num_embeddings import PeriodicEmbeddings
    from tabm import TabM

    return TabM.make(
        n_num_features=3, d_out=1, k=2, n_blocks=1, d_block=8, num_embeddings=PeriodicEmbeddings(3, lite=False)
    ), (torch.randn(5, 3),)


def case_piecewise():
    from rtdl_num_embeddings import PiecewiseLinearEmbeddings

    bins = [torch.tensor([0.0, 0.5, 1.0]), torch.tensor([0.0, 0.2, 0.6, 1.0])]
    return PiecewiseLinearEmbeddings(bins, 4, activation=True, version="B"), (torch.rand(5, 2),)
