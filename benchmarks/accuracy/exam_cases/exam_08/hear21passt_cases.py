"""Cases of hear21passt."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_a"])


PACKAGES = ["hear21passt"]


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


def case_passt():
    options = {"img_size": (32, 48), "embed_dim": 32, "depth": 1, "num_heads": 2, "num_classes": 5}
    return of("hear21passt.models.passt.PaSST", torch.randn(1, 1, 32, 48), **options, s_patchout_t=1, s_patchout_f=1)


def case_passt_unstructured():
    options = {"img_size": (32, 48), "embed_dim": 32, "depth": 1, "num_heads": 2, "num_classes": 5}
    return of("hear21passt.models.passt.PaSST", torch.randn(1, 1, 32, 48), **options, u_patchout=2)
