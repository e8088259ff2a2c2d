"""Cases of Depth-Anything-V2."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["Depth-Anything-V2"]


def f(*shape):
    return torch.randn(*shape)


def case_depth():
    inside("Depth-Anything-V2")
    vit = importlib.import_module("depth_anything_v2.dinov2").DinoVisionTransformer
    return vit(28, 14, 3, 24, 2, 2), (f(1, 3, 28, 28),)


def case_depth_head():
    inside("Depth-Anything-V2")
    head = importlib.import_module("depth_anything_v2.dpt").DPTHead(24, 16, False, [8, 8, 8, 8], True)
    return head, ([(f(1, 4, 24), f(1, 24)) for _ in range(4)], 2, 2)
