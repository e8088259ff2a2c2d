"""Cases of neuralop."""

from __future__ import annotations

import importlib

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["neuralop"]


def loss(name, *given, **options):
    """A loss of pytorch_widedeep."""
    return getattr(importlib.import_module("pytorch_widedeep.losses"), name)(**options), given


def case_neuralop_fno():
    from neuralop.models import FNO

    return FNO(n_modes=(4, 4), in_channels=2, out_channels=1, hidden_channels=8, n_layers=1), (
        torch.randn(1, 2, 16, 16),
    )


def case_neuralop_uno():
    from neuralop.models import UNO

    model = UNO(
        in_channels=2,
        out_channels=1,
        hidden_channels=8,
        n_layers=2,
        uno_out_channels=[8, 8],
        uno_n_modes=[[4, 4], [4, 4]],
        uno_scalings=[[1.0, 1.0], [1.0, 1.0]],
    )
    return model, (torch.randn(1, 2, 16, 16),)


def case_neuralop_loss():
    from neuralop.losses import H1Loss

    return Losses(H1Loss(d=2)), (torch.randn(2, 1, 8, 8), torch.randn(2, 1, 8, 8))


class Losses(torch.nn.Module):
    """A loss that is no module."""

    def __init__(self, loss):
        super().__init__()
        self.loss = loss

    def forward(self, guess, truth):
        return self.loss(guess, truth)
