"""Cases of panns_inference."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_a"])


PACKAGES = ["panns_inference"]


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


def case_panns():
    options = {"window_size": 64, "hop_size": 32, "mel_bins": 64, "fmin": 50, "fmax": 4000, "classes_num": 5}
    return of("panns_inference.models.Cnn14", torch.randn(1, 3200), sample_rate=8000, **options)


def case_panns_levels():
    options = {"window_size": 64, "hop_size": 32, "mel_bins": 64, "fmin": 50, "fmax": 4000, "classes_num": 5}
    return of("panns_inference.models.Cnn14_DecisionLevelMax", torch.randn(1, 3200), sample_rate=8000, **options)
