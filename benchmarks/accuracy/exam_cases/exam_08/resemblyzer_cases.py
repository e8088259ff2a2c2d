"""Cases of resemblyzer."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_a"])


PACKAGES = ["resemblyzer"]


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


def case_resemblyzer():
    return of("resemblyzer.voice_encoder.VoiceEncoder", torch.rand(2, 20, 40), device="cpu", verbose=False)
