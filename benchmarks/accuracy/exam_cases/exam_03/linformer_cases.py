"""Cases of linformer."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["linformer"]


def case_linformer():
    from linformer import LinformerLM

    return LinformerLM(20, 8, 16, 2, k=4, heads=2), (torch.randint(0, 20, (2, 16)),)


def case_reversible_linformer():
    from linformer import Linformer

    return Linformer(8, 16, 2, k=4, heads=2, reversible=True, share_kv=True), (torch.randn(2, 16, 8),)
