"""Cases of score_sde_pytorch."""

from __future__ import annotations

import importlib

import torch
from exam_configurations import names
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["score_sde_pytorch"]


def score(name, **options):
    """A score network of score_sde."""
    inside("score_sde_pytorch")
    absent("op")
    module = importlib.import_module(f"models.{name.lower()[:6]}")
    model = {
        "name": name.lower(),
        "nonlinearity": "swish",
        "nf": 32,
        "ch_mult": (1, 2),
        "num_res_blocks": 1,
        "attn_resolutions": (8,),
        "resamp_with_conv": True,
        "conditional": True,
        "normalization": "GroupNorm",
        "dropout": 0.1,
        "sigma_min": 0.01,
        "sigma_max": 50,
        "num_scales": 10,
        "beta_min": 0.1,
        "beta_max": 20.0,
        "embedding_type": "positional",
        "fir": True,
        "fir_kernel": [1, 3, 3, 1],
        "skip_rescale": True,
        "resblock_type": "biggan",
        "progressive": "none",
        "progressive_input": "residual",
        "progressive_combine": "sum",
        "attention_type": "ddpm",
        "init_scale": 0.0,
        "fourier_scale": 16,
        "conv_size": 3,
        "scale_by_sigma": True,
        **options,
    }
    config = names(
        model=model,
        data={"image_size": 16, "num_channels": 3, "channels": 3, "centered": False},
        training={"continuous": True, "sde": "vesde"},
    )
    labels = torch.tensor([3, 7])
    return getattr(module, name)(config), (torch.randn(2, 3, 16, 16), labels)


def case_score_ddpm():
    return score("DDPM")


def case_score_ncsnpp():
    return score("NCSNpp", fir=False)


def case_score_ncsnv2():
    return score("NCSNv2", nonlinearity="elu", normalization="InstanceNorm++", interpolation="bilinear")
