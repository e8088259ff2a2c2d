"""Cases of consistency_models."""

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


PACKAGES = ["consistency_models"]


def edm(name, **options):
    """A preconditioned network of edm."""
    inside("edm")
    module = importlib.import_module("training.networks")
    small = {"model_channels": 16, "channel_mult": [1, 2], "num_blocks": 1, "attn_resolutions": [8]}
    return (
        getattr(module, name)(16, 3, **small, **options),
        (torch.randn(2, 3, 16, 16), torch.tensor([1.0, 2.0])),
    )


def case_consistency_unet():
    inside("consistency_models")
    absent("flash_attn", "blobfile", "mpi4py")
    from cm.unet import UNetModel

    model = UNetModel(
        16, 3, 32, 3, 1, (2,), channel_mult=(1, 2), num_heads=2, num_head_channels=16, resblock_updown=True
    )
    return model, (torch.randn(2, 3, 16, 16), torch.tensor([3.0, 7.0]))


def mvsnerf(name, *options, given, **more):
    """A network of mvsnerf."""
    inside("mvsnerf")
    return getattr(importlib.import_module("models"), name)(*options, **more), given
