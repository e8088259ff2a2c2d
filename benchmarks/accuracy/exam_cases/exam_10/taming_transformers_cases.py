"""Cases of taming-transformers."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["taming-transformers"]


def taming(module, name, *options, given, **more):
    """A part of taming-transformers."""
    import transformers

    inside("taming-transformers")
    transformers.top_k_top_p_filtering = None
    made = getattr(importlib.import_module(f"taming.modules.{module}"), name)(*options, **more)
    return made, given


def case_taming_quantizer():
    return taming("vqvae.quantize", "VectorQuantizer", 8, 4, 0.25, given=(torch.randn(2, 4, 5, 5),))


def case_taming_quantizer2():
    return taming(
        "vqvae.quantize", "VectorQuantizer2", 8, 4, beta=0.25, sane_index_shape=True, given=(torch.randn(2, 4, 5, 5),)
    )


def case_taming_gumbel():
    return taming("vqvae.quantize", "GumbelQuantize", 4, 4, 8, given=(torch.randn(2, 4, 5, 5),))


def case_taming_gpt():
    return taming(
        "transformer.mingpt", "GPT", 12, 10, n_layer=1, n_head=2, n_embd=16, given=(torch.randint(0, 12, (2, 6)),)
    )


def case_taming_kmeans():
    model, given = taming("transformer.mingpt", "KMeans", 4, 3, given=(torch.rand(2, 3, 4, 4),))
    return model, given


def case_taming_actnorm():
    return taming("util", "ActNorm", 4, logdet=True, given=(torch.randn(2, 4, 5, 5),))


def case_taming_discriminator():
    return taming("discriminator.model", "NLayerDiscriminator", 3, 8, 2, given=(torch.rand(2, 3, 32, 32),))


def case_taming_permuter():
    return taming("transformer.permuter", "SpiralOut", 4, 4, given=(torch.randint(0, 9, (2, 16)),))


def case_taming_encoder():
    return taming(
        "diffusionmodules.model",
        "Encoder",
        ch=32,
        out_ch=3,
        ch_mult=(1, 2),
        num_res_blocks=1,
        attn_resolutions=[8],
        in_channels=3,
        resolution=16,
        z_channels=4,
        given=(torch.rand(1, 3, 16, 16),),
    )


def case_taming_model():
    return taming(
        "diffusionmodules.model",
        "Model",
        ch=32,
        out_ch=3,
        ch_mult=(1, 2),
        num_res_blocks=1,
        attn_resolutions=[8],
        in_channels=3,
        resolution=16,
        given=(torch.rand(1, 3, 16, 16), torch.tensor([3])),
    )
