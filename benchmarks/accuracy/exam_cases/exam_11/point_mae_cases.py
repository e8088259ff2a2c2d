"""Cases of Point-MAE."""

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


PACKAGES = ["Point-MAE"]


def f(*shape):
    return torch.randn(*shape)


def case_points_masked():
    inside("Point-MAE", "segmentation")
    return importlib.import_module("pointnet_util").PointNetSetAbstraction(4, 0.4, 3, 6, [8, 8], False), (
        f(2, 12, 3),
        f(2, 12, 3),
    )


def case_points_nearest():
    inside("Point-MAE", "segmentation")
    model = importlib.import_module("pointnet_util").PointNetSetAbstraction(4, 0.4, 3, 6, [8, 8], False, True)
    return model, (f(2, 12, 3), f(2, 12, 3))


def case_points_propagation():
    inside("Point-MAE", "segmentation")
    model = importlib.import_module("pointnet_util").PointNetFeaturePropagation(10, [8])
    return model, (f(2, 3, 12), f(2, 3, 4), f(2, 4, 12), f(2, 6, 4))
