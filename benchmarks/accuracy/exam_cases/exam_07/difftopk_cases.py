"""Cases of difftopk."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["difftopk"]


def top(method: str, **options):
    from difftopk import TopKCrossEntropyLoss

    return TopKCrossEntropyLoss(method, 1.0, p_k=[0.5, 0.5], n=8, m=4, **options), (
        torch.randn(4, 8),
        torch.randint(0, 8, (4,)),
    )


def case_top_by_network():
    return top("bitonic")


def case_top_by_sort():
    return top("softsort")


def case_top_by_neural_sort():
    return top("neuralsort")


def case_smooth_top():
    from difftopk import SmoothTopKLoss

    return SmoothTopKLoss(8, 2), (torch.randn(4, 8), torch.randint(0, 8, (4,)))
