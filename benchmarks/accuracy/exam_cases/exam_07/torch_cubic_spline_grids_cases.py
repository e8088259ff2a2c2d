"""Cases of torch_cubic_spline_grids."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["torch_cubic_spline_grids"]


def case_spline_of_one_dimension():
    from torch_cubic_spline_grids import CubicBSplineGrid1d

    return CubicBSplineGrid1d(resolution=6, n_channels=2), (torch.rand(10, 1),)


def case_spline_of_two_dimensions():
    from torch_cubic_spline_grids import CubicCatmullRomGrid2d

    return CubicCatmullRomGrid2d(resolution=(6, 6), n_channels=2), (torch.rand(10, 2),)
