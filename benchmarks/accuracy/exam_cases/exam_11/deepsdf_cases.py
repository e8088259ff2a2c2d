"""Cases of DeepSDF."""

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


PACKAGES = ["DeepSDF"]


def f(*shape):
    return torch.randn(*shape)


def case_sdf():
    inside("DeepSDF")
    decoder = importlib.import_module("networks.deep_sdf_decoder").Decoder
    return decoder(8, [16, 16, 16, 16], [0, 1], 0.2, [0, 1], [2], False, True, True, True), (f(5, 11),)


def case_sdf_weight_norm():
    inside("DeepSDF")
    decoder = importlib.import_module("networks.deep_sdf_decoder").Decoder
    return decoder(8, [16, 16, 16, 16], None, 0.0, [0, 1], [2], True), (f(5, 11),)
