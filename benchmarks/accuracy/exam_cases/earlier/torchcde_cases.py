"""Cases of torchcde."""

from __future__ import annotations

import torch

PACKAGES = ["torchcde"]


class Field(torch.nn.Module):
    def __init__(self, inputs: int = 4, outputs: int = 4) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(inputs, outputs)

    def forward(self, t, x):
        return self.layer(x).tanh()


class Controlled(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.field = Field(4, 12)

    def forward(self, x):
        import torchcde

        path = torchcde.CubicSpline(torchcde.hermite_cubic_coefficients_with_backward_differences(x))

        def field(t, z):
            return self.field(t, z).view(z.size(0), 4, 3)

        return torchcde.cdeint(
            X=path, z0=torch.zeros(x.size(0), 4), func=field, t=path.interval, adjoint=False, method="rk4"
        )


def case_controlled_equation():
    return Controlled(), (torch.randn(2, 5, 3),)


class Interpolated(torch.nn.Module):
    def forward(self, x):
        import torchcde

        return torchcde.LinearInterpolation(torchcde.linear_interpolation_coeffs(x)).evaluate(torch.tensor(1.5))


def case_linear_interpolation():
    return Interpolated(), (torch.randn(2, 5, 3),)
