"""Cases of mamba-minimal."""

from __future__ import annotations

import torch
from exam_surroundings import absent, inside

PACKAGES = ["mamba-minimal"]


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


def case_mamba_minimal():
    inside("mamba-minimal")
    from model import Mamba, ModelArgs

    return Mamba(ModelArgs(d_model=16, n_layer=1, vocab_size=60)), (torch.randint(0, 60, (2, 6)),)
