"""Cases of Point-MAE."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["Point-MAE"]


def f(*shape):
    return torch.randn(*shape)


def case_points_masked():
    inside("Point-MAE", "segmentation")
    return importlib.import_module("pointnet_util").PointNetSetAbstraction(4, 0.4, 3, 6, [8, 8], False), (
        f(2, 12, 3),
        f(2, 12, 3),
    )


def case_points_nearest():
    inside("Point-MAE", "segmentation")
    model = importlib.import_module("pointnet_util").PointNetSetAbstraction(4, 0.4, 3, 6, [8, 8], False, True)
    return model, (f(2, 12, 3), f(2, 12, 3))


def case_points_propagation():
    inside("Point-MAE", "segmentation")
    model = importlib.import_module("pointnet_util").PointNetFeaturePropagation(10, [8])
    return model, (f(2, 3, 12), f(2, 3, 4), f(2, 4, 12), f(2, 6, 4))
