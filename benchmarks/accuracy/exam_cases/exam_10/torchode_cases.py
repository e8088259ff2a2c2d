"""Cases of torchode."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["torchode"]


class Field(torch.nn.Module):
    """What is integrated."""

    def __init__(self, size=3):
        super().__init__()
        self.net = torch.nn.Linear(size, size)

    def forward(self, t, y):
        return torch.tanh(self.net(y))


class Solved(torch.nn.Module):
    """A solution of torchode."""

    def __init__(self, method="Tsit5"):
        super().__init__()
        import torchode

        self.field = Field()
        term = torchode.ODETerm(self.field)
        stepper = getattr(torchode, method)(term=term)
        controller = torchode.IntegralController(atol=1e-3, rtol=1e-2, term=term)
        self.adjoint = torchode.AutoDiffAdjoint(stepper, controller)

    def forward(self, y0):
        import torchode

        times = torch.linspace(0, 1, 4).expand(y0.shape[0], 4)
        return self.adjoint.solve(torchode.InitialValueProblem(y0=y0, t_eval=times)).ys


def case_torchode_tsit():
    return Solved(), (torch.randn(2, 3),)


def case_torchode_dopri():
    return Solved("Dopri5"), (torch.randn(2, 3),)
