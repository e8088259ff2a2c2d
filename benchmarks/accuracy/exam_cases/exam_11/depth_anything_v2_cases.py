"""Cases of Depth-Anything-V2."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import absent, inside

absent(
    "dgl",
    "tensorboardX",
    "wandb",
    "SimpleITK",
    "medpy",
    "ml_collections",
    "hydra",
    "cv2",
    "soundfile",
    "torchaudio",
    "asteroid_filterbanks",
    "xformers",
    "pointnet2_ops",
    "knn_cuda",
    "chamfer",
    "emd",
    "extensions",
    "Levenshtein",
    "librosa",
    "warp_rnnt",
    "matplotlib",
    "omegaconf",
    "gym",
    "romatch.utils.kde",
    "local_corr",
    "dm_env",
    "dm_control",
    "prefetch_generator",
    "tuneThreshold",
    "einops_exts",
    "models.networks.sync_batchnorm",
    "munch",
    "kornia",
    "pytorch_lightning",
)


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
