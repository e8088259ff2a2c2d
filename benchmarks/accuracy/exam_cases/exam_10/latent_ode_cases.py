"""Cases of latent_ode."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["latent_ode"]


def ode_parts():
    """The solver that latent_ode hands around."""
    absent("torchdiffeq")
    inside("latent_ode")
    import lib.diffeq_solver as solver
    from lib.ode_func import ODEFunc

    solver.odeint = lambda function, first, times, **_: torch.stack(
        [first + (time - times[0]) * function(times[0], first) for time in times]
    )
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 4))
    return solver.DiffeqSolver(3, ODEFunc(3, 4, net), "euler", 4)


def case_latent_ode_encoder():
    solver = ode_parts()
    from lib.encoder_decoder import Encoder_z0_ODE_RNN

    model = Encoder_z0_ODE_RNN(4, 6, z0_diffeq_solver=solver, n_gru_units=8)
    data = torch.cat([torch.randn(2, 5, 3), torch.ones(2, 5, 3)], -1)
    return model, (data, torch.linspace(0, 1, 5))


def case_latent_ode_rnn_encoder():
    ode_parts()
    from lib.encoder_decoder import Encoder_z0_RNN

    return Encoder_z0_RNN(4, 6, 8), (torch.randn(2, 5, 6), torch.linspace(0, 1, 5))


def case_latent_ode_gru():
    ode_parts()
    from lib.encoder_decoder import GRU_unit

    x = torch.cat([torch.randn(1, 2, 3), torch.ones(1, 2, 3)], -1)
    return GRU_unit(4, 6, n_units=8), (torch.randn(1, 2, 4), torch.rand(1, 2, 4), x)


def case_latent_ode_solver():
    return ode_parts(), (torch.randn(1, 2, 4), torch.linspace(0, 1, 5))


def case_latent_ode_decay():
    ode_parts()
    from lib.rnn_baselines import GRUCellExpDecay

    return GRUCellExpDecay(6, 3, 4, torch.device("cpu")), (torch.randn(2, 9), torch.randn(2, 4))
