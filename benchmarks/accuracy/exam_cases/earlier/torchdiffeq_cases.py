"""Cases of torchdiffeq."""

from __future__ import annotations

import torch

PACKAGES = ["torchdiffeq"]


class Field(torch.nn.Module):
    def __init__(self, inputs: int = 4, outputs: int = 4) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(inputs, outputs)

    def forward(self, t, x):
        return self.layer(x).tanh()


class Dopri5(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.field = Field()

    def forward(self, x):
        from torchdiffeq import odeint

        return odeint(self.field, x, torch.linspace(0, 1, 3))


class Rk4(Dopri5):
    def forward(self, x):
        from torchdiffeq import odeint

        return odeint(self.field, x, torch.linspace(0, 1, 3), method="rk4")


class Euler(Dopri5):
    def forward(self, x):
        from torchdiffeq import odeint

        return odeint(self.field, x, torch.linspace(0, 1, 3), method="euler")


class Adams(Dopri5):
    def forward(self, x):
        from torchdiffeq import odeint

        return odeint(self.field, x, torch.linspace(0, 1, 3), method="implicit_adams")


class Adjoint(Dopri5):
    def forward(self, x):
        from torchdiffeq import odeint_adjoint

        return odeint_adjoint(self.field, x, torch.linspace(0, 1, 3), method="dopri5")


def case_odeint_dopri5():
    return Dopri5(), (torch.randn(2, 4),)


def case_odeint_rk4():
    return Rk4(), (torch.randn(2, 4),)


def case_odeint_euler():
    return Euler(), (torch.randn(2, 4),)


def case_odeint_adams():
    return Adams(), (torch.randn(2, 4),)


def case_odeint_adjoint():
    return Adjoint(), (torch.randn(2, 4),)
