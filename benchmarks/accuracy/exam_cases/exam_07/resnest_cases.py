"""Cases of resnest."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["resnest"]


def image(channels: int = 3, size: int = 64, n: int = 2) -> torch.Tensor:
    return torch.rand(n, channels, size, size)


def case_resnest():
    from resnest.torch import resnest50

    return resnest50(), (image(n=1),)
