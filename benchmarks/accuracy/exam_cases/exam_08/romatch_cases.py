"""Cases of romatch."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_a"])


PACKAGES = ["romatch"]


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


def case_romatch_attention():
    return of("romatch.models.transformer.layers.attention.Attention", torch.randn(1, 6, 16), dim=16, num_heads=2)


def case_romatch_vit():
    options = {"img_size": 28, "patch_size": 14, "embed_dim": 16, "depth": 1, "num_heads": 2}
    path = "romatch.models.transformer.dinov2.DinoVisionTransformer"
    return of(path, torch.randn(1, 3, 28, 28), **options)


def case_romatch_gaussian_process():
    options = {"kernel": importlib.import_module("romatch.models.matcher").CosKernel, "gp_dim": 16}
    return of("romatch.models.matcher.GP", torch.randn(1, 8, 4, 4), torch.randn(1, 8, 4, 4), **options)
