"""Cases of torchsde."""

from __future__ import annotations

import torch

PACKAGES = ["torchsde"]


class Equation(torch.nn.Module):
    noise_type = "diagonal"
    sde_type = "ito"

    def __init__(self) -> None:
        super().__init__()
        self.drift = torch.nn.Linear(3, 3)
        self.diffusion = torch.nn.Linear(3, 3)

    def f(self, t, y):
        return self.drift(y)

    def g(self, t, y):
        return self.diffusion(y).sigmoid()


class Solved(torch.nn.Module):
    def __init__(self, method: str) -> None:
        super().__init__()
        self.equation = Equation()
        self.method = method

    def forward(self, y):
        import torchsde

        return torchsde.sdeint(self.equation, y, torch.linspace(0, 1, 3), method=self.method, dt=0.5)


def case_stochastic_euler():
    return Solved("euler"), (torch.randn(2, 3),)


def case_stochastic_milstein():
    return Solved("milstein"), (torch.randn(2, 3),)
