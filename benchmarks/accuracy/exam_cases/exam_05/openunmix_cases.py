"""Cases of openunmix."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["openunmix"]


def case_openunmix():
    from openunmix.model import OpenUnmix

    return OpenUnmix(nb_bins=33, hidden_size=8, nb_layers=1), (torch.rand(2, 2, 33, 10),)


def case_openunmix_separator():
    from openunmix.model import OpenUnmix, Separator

    targets = {"vocals": OpenUnmix(nb_bins=33, hidden_size=8, nb_layers=1), "drums": OpenUnmix(33, 2, 8, 1)}
    return Separator(targets, niter=1, n_fft=64, n_hop=16, wiener_win_len=20, residual=True), (torch.randn(1, 2, 1000),)
