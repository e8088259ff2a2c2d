"""Cases of YOLOP."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["YOLOP"]


def f(*shape):
    return torch.randn(*shape)


def yolop(module, name, *given, **named):
    inside("YOLOP")
    return getattr(importlib.import_module(f"lib.{module}"), name)(*given, **named)


def case_yolop_detect():
    model = yolop("models.common", "Detect", 2, [[3, 9, 5, 11, 4, 20], [7, 18, 6, 39, 12, 31]], [8, 16])
    model.stride = torch.tensor([8.0, 16.0])
    return model, ([f(1, 8, 8, 8), f(1, 16, 4, 4)],)


def case_yolop_csp():
    return yolop("models.common", "BottleneckCSP", 8, 8, 1), (f(1, 8, 8, 8),)


def case_yolop_focus():
    return yolop("models.common", "Focus", 3, 8, 3), (f(1, 3, 16, 16),)


def case_yolop_sharpen():
    return yolop("models.common", "SharpenConv", 3, 8, 3, 2), (f(1, 3, 16, 16),)


def case_yolop_mish():
    return yolop("core.activations", "MemoryEfficientMish"), (f(3, 4),)


def case_yolop_focal():
    return yolop("core.loss", "FocalLoss", torch.nn.BCEWithLogitsLoss()), (f(3, 4), torch.ones(3, 4))
