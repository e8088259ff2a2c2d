"""Cases of deep-vector-quantization."""

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


PACKAGES = ["deep-vector-quantization"]


def edm(name, **options):
    """A preconditioned network of edm."""
    inside("edm")
    module = importlib.import_module("training.networks")
    small = {"model_channels": 16, "channel_mult": [1, 2], "num_blocks": 1, "attn_resolutions": [8]}
    return (
        getattr(module, name)(16, 3, **small, **options),
        (torch.randn(2, 3, 16, 16), torch.tensor([1.0, 2.0])),
    )


def case_dvq_quantizer():
    inside("deep-vector-quantization")
    from dvq.model.quantize import VQVAEQuantize

    return VQVAEQuantize(8, 10, 4), (torch.randn(2, 8, 5, 5),)


def case_dvq_gumbel():
    inside("deep-vector-quantization")
    from dvq.model.quantize import GumbelQuantize

    return GumbelQuantize(8, 10, 4), (torch.randn(2, 8, 5, 5),)


def case_dvq_openai():
    inside("deep-vector-quantization")
    from dvq.model.openai_enc_dec import OpenAIEncoder

    return OpenAIEncoder(), (torch.rand(1, 3, 32, 32),)


def mvsnerf(name, *options, given, **more):
    """A network of mvsnerf."""
    inside("mvsnerf")
    return getattr(importlib.import_module("models"), name)(*options, **more), given
