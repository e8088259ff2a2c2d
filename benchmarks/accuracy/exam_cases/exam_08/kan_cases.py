"""Cases of kan."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_a"])


PACKAGES = ["kan"]


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


def case_kan():
    return of("kan.MultKAN.MultKAN", torch.randn(8, 2), width=[2, 3, 1], grid=3, k=3, auto_save=False)


def case_kan_without_symbols():
    options = {"width": [2, 3, 1], "grid": 3, "k": 3, "auto_save": False, "symbolic_enabled": False}
    return of("kan.MultKAN.MultKAN", torch.randn(8, 2), **options)


def case_kan_with_multiplication():
    return of("kan.MultKAN.MultKAN", torch.randn(8, 2), width=[2, [2, 1], 1], grid=3, k=3, auto_save=False)


def case_kan_layer():
    return of("kan.KANLayer.KANLayer", torch.randn(8, 3), in_dim=3, out_dim=2)


def case_kan_symbolic_layer():
    return of("kan.Symbolic_KANLayer.Symbolic_KANLayer", torch.randn(8, 3), in_dim=3, out_dim=2)


def case_kan_mlp():
    return of("kan.MLP.MLP", torch.randn(8, 3), width=[3, 4, 1])
