"""Cases of complextorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["complextorch"]


def complex_layer(name: str, *options, **named):
    import complextorch.nn as layers

    return getattr(layers, name)(*options, **named)


def case_complex_linear():
    return complex_layer("Linear", 4, 3), (torch.randn(2, 4, dtype=torch.cfloat),)


def case_complex_conv():
    return complex_layer("Conv2d", 2, 3, 3), (torch.randn(1, 2, 6, 6, dtype=torch.cfloat),)


def case_complex_batch_norm():
    return complex_layer("BatchNorm1d", 4), (torch.randn(5, 4, 3, dtype=torch.cfloat),)


def case_complex_attention():
    q = torch.randn(2, 4, 8, dtype=torch.cfloat)
    return complex_layer("MultiheadAttention", 2, 8), (q, q, q)


def case_complex_dropout():
    return complex_layer("Dropout", 0.5), (torch.randn(5, 4, dtype=torch.cfloat),)


def case_complex_max_pool():
    return complex_layer("AdaptiveAvgPool2d", 2), (torch.randn(1, 2, 6, 6, dtype=torch.cfloat),)


def case_complex_gru():
    return complex_layer("GRU", 4, 3), (torch.randn(5, 2, 4, dtype=torch.cfloat),)
