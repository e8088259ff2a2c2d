"""Cases of diffsort."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["diffsort"]


def case_sorting_bitonic():
    from diffsort import DiffSortNet

    return DiffSortNet("bitonic", 4, steepness=5), (torch.randn(2, 4),)


def case_sorting_odd_even():
    from diffsort import DiffSortNet

    return DiffSortNet("odd_even", 4, distribution="logistic_phi"), (torch.randn(2, 4),)
