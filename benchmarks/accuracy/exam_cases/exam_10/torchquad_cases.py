"""Cases of torchquad."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["torchquad"]


class Integrated(torch.nn.Module):
    """An integral of torchquad."""

    def __init__(self, method, points):
        super().__init__()
        import torchquad

        self.rule = getattr(torchquad, method)()
        self.points = points

    def forward(self, scale):
        return self.rule.integrate(
            lambda x: torch.sin(scale * x[:, 0]), dim=1, N=self.points, integration_domain=[[0.0, 1.0]], backend="torch"
        )


def case_torchquad_trapezoid():
    return Integrated("Trapezoid", 11), (torch.tensor(2.0),)


def case_torchquad_simpson():
    return Integrated("Simpson", 11), (torch.tensor(2.0),)


def case_torchquad_boole():
    return Integrated("Boole", 13), (torch.tensor(2.0),)


def case_torchquad_gauss():
    return Integrated("GaussLegendre", 11), (torch.tensor(2.0),)


def case_torchquad_monte_carlo():
    return Integrated("MonteCarlo", 20), (torch.tensor(2.0),)
