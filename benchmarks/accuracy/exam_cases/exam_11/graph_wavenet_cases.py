"""Cases of Graph-WaveNet."""

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


PACKAGES = ["Graph-WaveNet"]


def f(*shape):
    return torch.randn(*shape)


def case_wavenet():
    inside("Graph-WaveNet")
    model = importlib.import_module("model").gwnet("cpu", 6, supports=[torch.eye(6)], residual_channels=8,
                                                   dilation_channels=8, skip_channels=16, end_channels=16)  # fmt: skip
    return model, (f(2, 2, 6, 14),)


def case_wavenet_start():
    inside("Graph-WaveNet")
    model = importlib.import_module("model").gwnet("cpu", 6, supports=[torch.eye(6)], aptinit=torch.eye(6),
                                                   residual_channels=8, dilation_channels=8, skip_channels=16,
                                                   end_channels=16)  # fmt: skip
    return model, (f(2, 2, 6, 9),)
