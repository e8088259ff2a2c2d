"""Cases of torchcde."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["torchcde"]


class Splined(torch.nn.Module):
    """The path of torchcde through points."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def forward(self, points):
        import torchcde

        if self.kind == "cubic":
            coefficients = torchcde.natural_cubic_coeffs(points)
            return torchcde.CubicSpline(coefficients).evaluate(torch.tensor(0.5))
        if self.kind == "hermite":
            coefficients = torchcde.hermite_cubic_coefficients_with_backward_differences(points)
            return torchcde.CubicSpline(coefficients).derivative(torch.tensor(0.5))
        coefficients = torchcde.linear_interpolation_coeffs(points)
        return torchcde.LinearInterpolation(coefficients).evaluate(torch.tensor(0.5))


def case_torchcde_cubic():
    return Splined("cubic"), (torch.randn(2, 5, 3),)


def case_torchcde_hermite():
    return Splined("hermite"), (torch.randn(2, 5, 3),)


def case_torchcde_linear():
    return Splined("linear"), (torch.randn(2, 5, 3),)
