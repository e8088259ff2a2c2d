"""Cases of mvsnerf."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["mvsnerf"]


def mvsnerf(name, *options, given, **more):
    """A network of mvsnerf."""
    inside("mvsnerf")
    return getattr(importlib.import_module("models"), name)(*options, **more), given


def case_mvsnerf_nerf():
    return mvsnerf("Renderer_ours", D=2, W=16, input_ch=3, output_ch=4, skips=[1], input_ch_views=3, input_ch_feat=8,
                   use_viewdirs=True, given=(torch.randn(4, 5, 14),))  # fmt: skip


def case_mvsnerf_features():
    return mvsnerf("FeatureNet", given=(torch.rand(1, 3, 32, 32),))
