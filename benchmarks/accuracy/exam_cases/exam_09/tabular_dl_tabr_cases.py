"""Cases of tabular-dl-tabr."""

from __future__ import annotations

import os
import tempfile

import torch
from exam_surroundings import absent, inside

PACKAGES = ["tabular-dl-tabr"]


absent(
    "matplotlib",
    "wandb",
    "gym",
    "dmc2gym",
    "tensorboard",
    "faiss",
    "monotonic_align",
    "onnx",
    "mlperf_logger",
    "mlperf_logging",
    "git",
    "d4rl",
    "mujoco_py",
    "tap",
    "imageio",
    "skvideo",
    "optuna",
    "torch_cluster",
    "torch_scatter",
    "tomli_w",
    "tomli",
    "scipy.io",
    "dataloader",
    "torch.utils.tensorboard",
    "model.monotonic_align",
)


def case_tabr_embeddings():
    inside("tabular-dl-tabr")
    os.environ["PROJECT_DIR"] = tempfile.gettempdir()
    from lib.deep import PeriodicEmbeddings

    return PeriodicEmbeddings(4, 6, 0.1), (torch.randn(3, 4),)


def case_tabr_one_hot():
    inside("tabular-dl-tabr")
    os.environ["PROJECT_DIR"] = tempfile.gettempdir()
    from lib.deep import OneHotEncoder

    return OneHotEncoder([3, 4]), (torch.randint(0, 3, (5, 2)),)
