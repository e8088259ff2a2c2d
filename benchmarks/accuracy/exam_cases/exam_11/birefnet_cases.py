"""Cases of BiRefNet."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["BiRefNet"]


def f(*shape):
    return torch.randn(*shape)


def case_birefnet_loss():
    inside("BiRefNet")
    return importlib.import_module("loss").SSIMLoss(), (torch.rand(1, 1, 16, 16), torch.rand(1, 1, 16, 16))


def case_birefnet_contour():
    inside("BiRefNet")
    return importlib.import_module("loss").ContourLoss(), (torch.rand(1, 1, 16, 16), torch.rand(1, 1, 16, 16))


def case_birefnet_structure():
    inside("BiRefNet")
    return importlib.import_module("loss").StructureLoss(), (f(1, 1, 32, 32), torch.rand(1, 1, 32, 32))


def case_birefnet_swin():
    inside("BiRefNet")
    swin = importlib.import_module("models.backbones.swin_v1").SwinTransformer
    return swin(32, embed_dim=12, depths=[2, 1], num_heads=[2, 2], window_size=4, out_indices=(0, 1)), (
        f(1, 3, 36, 36),
    )


def case_birefnet_pvt():
    inside("BiRefNet")
    pvt = importlib.import_module("models.backbones.pvt_v2").PyramidVisionTransformerImpr
    return pvt(64, embed_dims=[8, 8, 8, 8], num_heads=[1, 1, 2, 2], depths=[1, 1, 1, 1]), (f(1, 3, 64, 64),)
