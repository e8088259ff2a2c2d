"""Cases of xitorch."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_c"])


import diffsptk  # noqa: E402
import xitorch  # noqa: E402
from audioseal.builder import create_detector, create_generator  # noqa: E402, F401
from xitorch.integrate import solve_ivp  # noqa: E402
from xitorch.interpolate import Interp1D  # noqa: E402
from xitorch.linalg import solve, symeig  # noqa: E402
from xitorch.optimize import minimize, rootfinder  # noqa: E402

PACKAGES = ["xitorch", "diffsptk"]


def signal(name: str, *options, given=None, **more):
    """A module of diffsptk and a signal."""
    return getattr(diffsptk, name)(*options, **more), given if given is not None else (torch.rand(2, 40),)


def case_diffsptk_spectrum():
    return signal("Spectrum", 32, given=(torch.rand(2, 5), torch.rand(2, 5)))


class SolvedByExactsolve(torch.nn.Module):
    """A linear system."""

    def forward(self, matrix, right):
        return solve(xitorch.LinearOperator.m(matrix), right, method="exactsolve")


class SolvedByCg(torch.nn.Module):
    """A linear system."""

    def forward(self, matrix, right):
        return solve(xitorch.LinearOperator.m(matrix), right, method="cg")


def case_xitorch_solve():
    return SolvedByExactsolve(), (torch.eye(4) * 3 + torch.rand(4, 4) / 10, torch.rand(4, 2))


def case_xitorch_solve_by_gradients():
    return SolvedByCg(), (torch.eye(4) * 3, torch.rand(4, 2))


class Spectrum(torch.nn.Module):
    """The lowest eigenvalues of a matrix."""

    def forward(self, matrix):
        return symeig(xitorch.LinearOperator.m(matrix, is_hermitian=True), neig=2, method="exacteig")


def case_xitorch_eigenvalues():
    return Spectrum(), (torch.diag(torch.arange(1.0, 6)),)


class InterpolatedByCspline(torch.nn.Module):
    """A line through points."""

    def forward(self, x, y, where):
        return Interp1D(x, y, method="cspline")(where)


class InterpolatedByLinear(torch.nn.Module):
    """A line through points."""

    def forward(self, x, y, where):
        return Interp1D(x, y, method="linear")(where)


def case_xitorch_spline():
    return InterpolatedByCspline(), (torch.linspace(0, 1, 6), torch.rand(6), torch.rand(4))


def case_xitorch_linear():
    return InterpolatedByLinear(), (torch.linspace(0, 1, 6), torch.rand(6), torch.rand(4))


def decays(t, y, a):
    """What a decaying quantity changes by."""
    return -a * y


class DecayByRk4(torch.nn.Module):
    """An initial value problem."""

    def forward(self, times, start, a):
        return solve_ivp(decays, times, start, params=(a,), method="rk4")


class DecayByRk45(torch.nn.Module):
    """An initial value problem."""

    def forward(self, times, start, a):
        return solve_ivp(decays, times, start, params=(a,), method="rk45")


def case_xitorch_rk4():
    return DecayByRk4(), (torch.linspace(0, 1, 4), torch.rand(3), torch.tensor(0.5))


def case_xitorch_rk45():
    return DecayByRk45(), (torch.linspace(0, 1, 4), torch.rand(3), torch.tensor(0.5))


def squared(y, a):
    """Zero at the root of a."""
    return y * y - a


class Root(torch.nn.Module):
    """A root of a function."""

    def forward(self, start, a):
        return rootfinder(squared, start, params=(a,), method="broyden1", maxiter=5)


def case_xitorch_root():
    return Root(), (torch.ones(3), torch.rand(3) + 1)


def bowl(y, a):
    """Lowest at a."""
    return ((y - a) ** 2).sum()


class Lowest(torch.nn.Module):
    """A minimum of a function."""

    def forward(self, start, a):
        return minimize(bowl, start, params=(a,), method="gd", step=0.1, maxiter=5)


def case_xitorch_minimum():
    return Lowest(), (torch.ones(3), torch.rand(3) + 1)
