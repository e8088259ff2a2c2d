"""Cases of conformer."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["conformer"]


def case_conformer():
    from conformer import Conformer

    return Conformer(8, depth=2, dim_head=4, heads=2, conv_kernel_size=5), (torch.randn(2, 6, 8),)
