"""Cases of animegan2-pytorch."""

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


PACKAGES = ["animegan2-pytorch"]


def f(*shape):
    return torch.randn(*shape)


def case_animegan():
    inside("animegan2-pytorch")
    return importlib.import_module("model").Generator(), (f(1, 3, 32, 32),)


def case_animegan_corners():
    inside("animegan2-pytorch")
    return importlib.import_module("model").Generator(), (f(1, 3, 32, 32), False)
