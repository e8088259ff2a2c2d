"""Cases of CLIP."""

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


PACKAGES = ["CLIP"]


def case_clip():
    inside("CLIP")
    absent("clip.clip")
    from clip.model import CLIP

    model = CLIP(8, 32, 1, 64, 8, 6, 20, 16, 2, 1)
    return model, (torch.rand(2, 3, 32, 32), torch.randint(0, 20, (2, 6)))


def case_clip_resnet():
    inside("CLIP")
    absent("clip.clip")
    from clip.model import CLIP

    model = CLIP(8, 32, (1, 1, 1, 1), 2, None, 6, 20, 16, 2, 1)
    return model, (torch.rand(2, 3, 32, 32), torch.randint(0, 20, (2, 6)))


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
