"""Cases of encodec."""

from __future__ import annotations

import torch

PACKAGES = ["encodec"]


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
