"""Cases of unfoldNd."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["unfoldNd"]


def case_unfold_1d():
    import unfoldNd

    return unfoldNd.UnfoldNd(3, padding=1), (torch.randn(2, 3, 8),)


def case_unfold_2d():
    import unfoldNd

    return unfoldNd.UnfoldNd((3, 2), stride=2), (torch.randn(2, 3, 8, 8),)


def case_fold():
    import unfoldNd

    return unfoldNd.FoldNd((6, 6), 2, stride=2), (torch.randn(2, 12, 9),)


def case_unfold_transpose():
    import unfoldNd

    return unfoldNd.UnfoldTransposeNd(2, stride=2), (torch.randn(2, 3, 4),)
