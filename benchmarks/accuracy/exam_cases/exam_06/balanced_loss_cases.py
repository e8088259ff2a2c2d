"""Cases of balanced_loss."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["balanced_loss"]


def balanced(kind: str, **options):
    from balanced_loss import Loss

    return Loss(kind, **options), (torch.randn(6, 3), torch.randint(0, 3, (6,)))


def case_balanced_focal():
    return balanced("focal_loss", samples_per_class=[30, 20, 10], class_balanced=True)


def case_balanced_cross_entropy():
    return balanced("cross_entropy", samples_per_class=[30, 20, 10], class_balanced=True)


def case_balanced_binary_safe():
    return balanced("binary_cross_entropy", samples_per_class=[30, 0, 10], class_balanced=True, safe=True)


def case_plain_focal():
    return balanced("focal_loss")
