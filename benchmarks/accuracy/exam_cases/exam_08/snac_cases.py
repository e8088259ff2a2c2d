"""Cases of snac."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_a"])


PACKAGES = ["snac"]


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


def case_snac():
    options = {"encoder_dim": 8, "encoder_rates": [2, 2], "decoder_dim": 16, "decoder_rates": [2, 2]}
    more = {"attn_window_size": None, "codebook_size": 16, "vq_strides": [2, 1]}
    return of("snac.SNAC", torch.randn(1, 1, 256), **options, **more)


def case_snac_attention():
    return of("snac.attention.LocalMHA", torch.randn(1, 64, 8), dim=64, window_size=4, dim_head=32)


def case_snac_attention_with_scales():
    model, inputs = of(
        "snac.attention.SinusoidalEmbeddings", torch.randn(1, 8, 64), dim=64, scale_base=4, use_xpos=True
    )
    return model, inputs


def case_snac_quantizer():
    return of("snac.vq.VectorQuantize", torch.randn(1, 8, 6), input_dim=8, codebook_size=16, codebook_dim=4, stride=2)
