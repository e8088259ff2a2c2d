"""Cases of torchdeq."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["torchdeq"]


class Equilibrium(torch.nn.Module):
    def __init__(self, **options) -> None:
        super().__init__()
        from torchdeq import get_deq

        self.layer = torch.nn.Linear(8, 8)
        self.solve = get_deq(f_max_iter=4, b_max_iter=4, **options)

    def forward(self, x):
        out, _ = self.solve(lambda z: torch.tanh(self.layer(z) + x), torch.zeros_like(x))
        return out[-1]


def case_equilibrium():
    return Equilibrium(f_solver="fixed_point_iter"), (torch.randn(2, 8),)


def case_equilibrium_of_anderson():
    return Equilibrium(f_solver="anderson"), (torch.randn(2, 8),)


def case_equilibrium_of_broyden():
    return Equilibrium(f_solver="broyden"), (torch.randn(2, 8),)
