"""Cases of DISTS_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["DISTS_pytorch"]


def case_dists():
    from DISTS_pytorch.DISTS_pt import L2pooling

    return L2pooling(channels=3), (torch.rand(1, 3, 8, 8),)
