"""Cases of mvsnerf."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import absent, inside

absent(
    "faiss",
    "gym",
    "dotmap",
    "visdom",
    "warmup_scheduler",
    "pytorch_lightning",
    "hydra",
    "tensorboard",
    "wandb",
    "skimage",
    "trimesh",
)


PACKAGES = ["mvsnerf"]


def edm(name, **options):
    """A preconditioned network of edm."""
    inside("edm")
    module = importlib.import_module("training.networks")
    small = {"model_channels": 16, "channel_mult": [1, 2], "num_blocks": 1, "attn_resolutions": [8]}
    return (
        getattr(module, name)(16, 3, **small, **options),
        (torch.randn(2, 3, 16, 16), torch.tensor([1.0, 2.0])),
    )


def mvsnerf(name, *options, given, **more):
    """A network of mvsnerf."""
    inside("mvsnerf")
    return getattr(importlib.import_module("models"), name)(*options, **more), given


def case_mvsnerf_nerf():
    return mvsnerf("Renderer_ours", D=2, W=16, input_ch=3, output_ch=4, skips=[1], input_ch_views=3, input_ch_feat=8,
                   use_viewdirs=True, given=(torch.randn(4, 5, 14),))  # fmt: skip


def case_mvsnerf_features():
    return mvsnerf("FeatureNet", given=(torch.rand(1, 3, 32, 32),))
