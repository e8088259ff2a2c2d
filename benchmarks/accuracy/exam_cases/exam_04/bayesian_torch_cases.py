"""Cases of bayesian_torch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["bayesian_torch"]


def case_linear_flipout():
    from bayesian_torch.layers import LinearFlipout

    return LinearFlipout(4, 3), (torch.randn(2, 4),)


def case_conv_reparameterization():
    from bayesian_torch.layers import Conv2dReparameterization

    return Conv2dReparameterization(2, 3, 3), (torch.randn(2, 2, 6, 6),)


def case_lstm_reparameterization():
    from bayesian_torch.layers import LSTMReparameterization

    return LSTMReparameterization(4, 3), (torch.randn(2, 5, 4),)


def case_lstm_flipout():
    from bayesian_torch.layers import LSTMFlipout

    return LSTMFlipout(4, 3), (torch.randn(2, 5, 4),)


def case_converted_to_bayes():
    from bayesian_torch.models.dnn_to_bnn import dnn_to_bnn

    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
    prior = {"prior_mu": 0.0, "prior_sigma": 1.0, "posterior_mu_init": 0.0, "posterior_rho_init": -3.0}
    dnn_to_bnn(model, {**prior, "type": "Reparameterization", "moped_enable": False, "moped_delta": 0.5})
    return model, (torch.randn(2, 4),)
