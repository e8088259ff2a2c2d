"""Cases of pfrl."""

from __future__ import annotations

from types import SimpleNamespace

import exam_surroundings  # noqa: F401 - the operators of torchvision
import numpy as np
import torch
from pfrl.nn import RecurrentSequential
from pfrl.policies import GaussianHeadWithStateIndependentCovariance, SoftmaxCategoricalHead
from pfrl.q_functions import DiscreteActionValueHead, DuelingDQN, FCQuadraticStateQFunction
from pfrl.q_functions import DistributionalFCStateQFunctionWithDiscreteAction as Chosen
from pfrl.utils.recurrent import pack_and_forward
from torch import nn

PACKAGES = ["pfrl"]


class GaussianPolicy(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = nn.Sequential(
            nn.Linear(4, 2), GaussianHeadWithStateIndependentCovariance(2, "diagonal", lambda x: torch.exp(2 * x))
        )

    def forward(self, x):
        return self.model(x).mean


def case_gaussian_policy():
    return GaussianPolicy(), (torch.randn(3, 4),)


class SoftmaxPolicy(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = nn.Sequential(nn.Linear(4, 2), SoftmaxCategoricalHead())

    def forward(self, x):
        return self.model(x).log_prob(torch.tensor([0, 1, 0]))


def case_softmax_policy():
    return SoftmaxPolicy(), (torch.randn(3, 4),)


class DiscreteQ(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = nn.Sequential(nn.Linear(4, 3), DiscreteActionValueHead())

    def forward(self, x):
        return (self.model(x).greedy_actions, self.model(x).max)


def case_discrete_q():
    return DiscreteQ(), (torch.randn(3, 4),)


class QuadraticQ(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = FCQuadraticStateQFunction(
            4, 2, 8, 1, action_space=SimpleNamespace(low=-np.ones(2), high=np.ones(2))
        )

    def forward(self, x):
        return self.model(x).max


def case_quadratic_q():
    return QuadraticQ(), (torch.randn(3, 4),)


class PackedRows(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = RecurrentSequential(nn.Linear(4, 3), nn.GRU(3, 3), nn.ReLU())

    def forward(self, a, b):
        return pack_and_forward(self.model, [a, b], None)[0]


def case_recurrent_sequential():
    return PackedRows(), (torch.randn(3, 4), torch.randn(2, 4))


def case_empirical_normalization():
    from pfrl.nn import EmpiricalNormalization

    return EmpiricalNormalization(4, clip_threshold=3), (torch.randn(5, 4),)


def case_noisy_linear():
    from pfrl.nn import FactorizedNoisyLinear

    return FactorizedNoisyLinear(nn.Linear(4, 3)), (torch.randn(5, 4),)


class Dueling(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = DuelingDQN(3, 1)

    def forward(self, x):
        return self.model(x).q_values


def case_dueling():
    return Dueling(), (torch.randn(1, 1, 84, 84),)


class DistributionalQ(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = Chosen(4, 3, 5, -1, 1, 8, 1)

    def forward(self, x):
        return self.model(x).max


def case_distributional_q():
    return DistributionalQ(), (torch.randn(2, 4),)
