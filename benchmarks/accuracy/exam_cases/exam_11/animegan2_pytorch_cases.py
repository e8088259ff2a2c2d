"""Cases of animegan2-pytorch."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["animegan2-pytorch"]


def f(*shape):
    return torch.randn(*shape)


def case_animegan():
    inside("animegan2-pytorch")
    return importlib.import_module("model").Generator(), (f(1, 3, 32, 32),)


def case_animegan_corners():
    inside("animegan2-pytorch")
    return importlib.import_module("model").Generator(), (f(1, 3, 32, 32), False)
