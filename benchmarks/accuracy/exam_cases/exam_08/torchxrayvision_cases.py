"""Cases of torchxrayvision."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_a"])


PACKAGES = ["torchxrayvision"]


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


def case_xray_densenet():
    options = {"growth_rate": 4, "block_config": (1, 1), "num_init_features": 8, "num_classes": 3}
    return of("torchxrayvision.models.DenseNet", torch.randn(1, 1, 224, 224), **options)


def case_xray_densenet_thresholds():
    options = {"growth_rate": 4, "block_config": (1, 1), "num_init_features": 8, "num_classes": 3}
    more = {"op_threshs": torch.tensor([0.5, 0.4, 0.3])}
    return of("torchxrayvision.models.DenseNet", torch.randn(1, 1, 224, 224), **options, **more)


def case_xray_quantizer():
    path = "torchxrayvision.baseline_models.ieee8023.vqgan.VectorQuantizer"
    return of(path, torch.randn(1, 4, 8, 8), n_e=8, e_dim=4, beta=0.25)


def case_xray_pspnet():
    path = "torchxrayvision.baseline_models.chestx_det.ptsemseg.pspnet.pspnet"
    return of(path, torch.randn(2, 3, 65, 65), n_classes=3, block_config=[1, 1, 1, 1], input_size=(65, 65))
