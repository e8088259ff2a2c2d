"""Cases of MTGNN."""

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


PACKAGES = ["MTGNN"]


def f(*shape):
    return torch.randn(*shape)


def case_mtgnn():
    inside("MTGNN")
    model = importlib.import_module("net").gtnet(
        True, True, 2, 6, "cpu", subgraph_size=3, conv_channels=8, residual_channels=8, skip_channels=8, end_channels=8
    )
    return model, (f(2, 2, 6, 12),)


def case_mtgnn_graph():
    inside("MTGNN")
    return importlib.import_module("layer").graph_constructor(6, 3, 4, "cpu"), (torch.arange(6),)


def case_mtgnn_dynamic():
    inside("MTGNN")
    return importlib.import_module("layer").dy_mixprop(4, 4, 2, 0.1, 0.1), (f(2, 4, 5, 6),)
