"""Cases of Graph-WaveNet."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["Graph-WaveNet"]


def f(*shape):
    return torch.randn(*shape)


def case_wavenet():
    inside("Graph-WaveNet")
    model = importlib.import_module("model").gwnet("cpu", 6, supports=[torch.eye(6)], residual_channels=8,
                                                   dilation_channels=8, skip_channels=16, end_channels=16)  # fmt: skip
    return model, (f(2, 2, 6, 14),)


def case_wavenet_start():
    inside("Graph-WaveNet")
    model = importlib.import_module("model").gwnet("cpu", 6, supports=[torch.eye(6)], aptinit=torch.eye(6),
                                                   residual_channels=8, dilation_channels=8, skip_channels=16,
                                                   end_channels=16)  # fmt: skip
    return model, (f(2, 2, 6, 9),)
