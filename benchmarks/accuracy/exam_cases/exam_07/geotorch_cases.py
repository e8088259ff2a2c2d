"""Cases of geotorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["geotorch"]


def constrained(name: str, size: int = 6, **options):
    import geotorch

    layer = nn.Linear(size, size)
    getattr(geotorch, name)(layer, "weight", **options)
    return layer, (torch.randn(2, size),)


def case_orthogonal():
    return constrained("orthogonal")


def case_skew():
    return constrained("skew")


def case_sphere():
    return constrained("sphere")


def case_low_rank():
    return constrained("low_rank", rank=2)


def case_positive_definite():
    return constrained("positive_definite")


def case_almost_orthogonal():
    return constrained("almost_orthogonal", lam=0.5)


def case_special_linear():
    return constrained("sln")


def case_alpha_stable():
    return constrained("alpha_stable", alpha=0.5)
