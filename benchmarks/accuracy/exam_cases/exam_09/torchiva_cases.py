"""Cases of torchiva."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_c"])


import torchiva  # noqa: E402
from audioseal.builder import create_detector, create_generator  # noqa: E402, F401

PACKAGES = ["torchiva"]


def mixture(channels=3):
    """A mixture in the domain of frequencies."""
    return torch.randn(1, channels, 9, 12, dtype=torch.cdouble)


def case_torchiva_ip():
    return torchiva.AuxIVA_IP(n_iter=2, n_src=3, model=torchiva.models.LaplaceModel()), (mixture(),)


def case_torchiva_ip2():
    return torchiva.AuxIVA_IP2(n_iter=2, model=torchiva.models.LaplaceModel()), (mixture(2),)


def case_torchiva_t_iss():
    return torchiva.T_ISS(n_iter=2, n_taps=2, n_delay=1, model=torchiva.models.LaplaceModel(), proj_back_mic=0), (
        mixture(),
    )


def case_torchiva_five():
    return torchiva.FIVE(n_iter=2, model=torchiva.models.LaplaceModel()), (mixture(),)


def case_torchiva_stft():
    return torchiva.STFT(16, 8), (torch.randn(1, 3, 100),)
