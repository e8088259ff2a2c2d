"""Cases of DiT."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["DiT"]


def f(*shape):
    return torch.randn(*shape)


def tokens(high, *shape):
    return torch.randint(1, high, shape)


def case_dit():
    inside("DiT")
    model = importlib.import_module("models").DiT(8, 2, 4, 24, 2, 2, num_classes=5)
    return model, (f(2, 4, 8, 8), tokens(9, 2), tokens(5, 2))


class Guided(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x, t, y):
        return self.model.forward_with_cfg(x, t, y, 2.0)


def case_dit_guided():
    model, given = case_dit()
    return Guided(model), given
