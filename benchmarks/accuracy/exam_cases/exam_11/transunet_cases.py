"""Cases of TransUNet."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["TransUNet"]


def f(*shape):
    return torch.randn(*shape)


def tokens(high, *shape):
    return torch.randint(1, high, shape)


def case_transunet():
    inside("TransUNet")
    return importlib.import_module("networks.vit_seg_modeling_resnet_skip").ResNetV2((1, 1, 1), 0.25), (
        f(1, 3, 64, 64),
    )


def case_transunet_dice():
    inside("TransUNet")
    return importlib.import_module("utils").DiceLoss(3), (f(2, 3, 8, 8), tokens(3, 2, 8, 8), None, True)
