"""Cases of ConvKB."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["ConvKB"]


def tokens(high, *shape):
    return torch.randint(1, high, shape)


def kb(module):
    inside("ConvKB", "ConvKB_pytorch")
    config = SimpleNamespace(
        entTotal=10, relTotal=4, hidden_size=8, out_channels=6, kernel_size=1, convkb_drop_prob=0.1, lmbda=0.2,
        init_with_transe=False, use_init_embeddings=False, use_gpu=False, test_log=False,
        batch_h=tokens(10, 5), batch_t=tokens(10, 5), batch_r=tokens(4, 5), batch_y=torch.ones(5),
    )  # fmt: skip
    return importlib.import_module(module).ConvKB(config)


def case_convkb():
    model = kb("ConvKB")
    for name in ("h", "t", "r", "y"):
        setattr(model, f"batch_{name}", getattr(model.config, f"batch_{name}"))
    return model, ()


def case_convkb_1d():
    model = kb("ConvKB_1D")
    for name in ("h", "t", "r", "y"):
        setattr(model, f"batch_{name}", getattr(model.config, f"batch_{name}"))
    return model, ()
