"""Cases of blitz."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["blitz"]


def case_bayesian_linear():
    from blitz.modules import BayesianLinear

    return BayesianLinear(4, 3), (torch.randn(2, 4),)


def case_bayesian_conv():
    from blitz.modules import BayesianConv2d

    return BayesianConv2d(2, 3, (3, 3)), (torch.randn(2, 2, 6, 6),)


def case_bayesian_lstm():
    from blitz.modules import BayesianLSTM

    return BayesianLSTM(4, 3), (torch.randn(2, 5, 4),)


def case_bayesian_gru():
    from blitz.modules import BayesianGRU

    return BayesianGRU(4, 3), (torch.randn(2, 5, 4),)


def case_bayesian_embedding():
    from blitz.modules import BayesianEmbedding

    return BayesianEmbedding(6, 3), (torch.tensor([[0, 5], [1, 2]]),)


def case_flipout_linear():
    from blitz.modules import BayesianLinear
    from blitz.utils import Flipout

    return Flipout(BayesianLinear)(4, 3), (torch.randn(2, 4),)


def case_variational_estimator():
    from blitz.modules import BayesianLinear
    from blitz.utils import variational_estimator

    @variational_estimator
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = BayesianLinear(4, 8), BayesianLinear(8, 1)

        def forward(self, x, y):
            return self.sample_elbo(x, y, nn.functional.mse_loss, 2)

    class Loss(nn.Module):
        def __init__(self, net) -> None:
            super().__init__()
            self.net = net

        def forward(self, x):
            return self.net.second(self.net.first(x)).sum() + self.net.nn_kl_divergence()

    return Loss(Net()), (torch.randn(4, 4),)
