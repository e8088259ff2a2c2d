"""Cases of ijepa."""

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


PACKAGES = ["ijepa"]


def case_ijepa_encoder():
    inside("ijepa")
    from src.models.vision_transformer import VisionTransformer

    model = VisionTransformer(img_size=[32], patch_size=8, embed_dim=16, depth=1, num_heads=2)
    return model, (torch.rand(2, 3, 32, 32), [torch.tensor([[0, 1, 2], [3, 4, 5]])])


def case_ijepa_predictor():
    inside("ijepa")
    from src.models.vision_transformer import VisionTransformerPredictor

    model = VisionTransformerPredictor(16, embed_dim=16, predictor_embed_dim=16, depth=1, num_heads=2)
    seen, wanted = [torch.tensor([[0, 1, 2], [3, 4, 5]])], [torch.tensor([[6, 7], [8, 9]])]
    return model, (torch.randn(2, 3, 16), seen, wanted)


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
