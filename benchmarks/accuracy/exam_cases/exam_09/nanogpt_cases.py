"""Cases of nanoGPT."""

from __future__ import annotations

import torch
from exam_surroundings import absent, inside

PACKAGES = ["nanoGPT"]


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


def case_nanogpt():
    inside("nanoGPT")
    from model import GPT, GPTConfig

    model = GPT(GPTConfig(block_size=32, vocab_size=60, n_layer=2, n_head=2, n_embd=16, dropout=0.1))
    return model, (torch.randint(0, 60, (2, 16)), torch.randint(0, 60, (2, 16)))


def case_nanogpt_generate():
    inside("nanoGPT")
    from model import GPT, GPTConfig

    model = GPT(GPTConfig(block_size=32, vocab_size=60, n_layer=1, n_head=2, n_embd=16))
    return model.generate, (torch.randint(0, 60, (2, 4)), 3), {"top_k": 5}
