"""Cases of MARL-Algorithms."""

from __future__ import annotations

from types import SimpleNamespace

import torch
from exam_configurations import SMAC
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["MARL-Algorithms"]


def case_marl_g2anet():
    inside("MARL-Algorithms")
    from network.g2anet import G2ANet

    return G2ANet(5, SimpleNamespace(**SMAC)), (torch.randn(6, 5), torch.zeros(6, 8))


def case_marl_commnet():
    inside("MARL-Algorithms")
    from network.commnet import CommNet

    return CommNet(5, SimpleNamespace(**SMAC)), (torch.randn(6, 5), torch.zeros(6, 8))


def case_marl_maven():
    inside("MARL-Algorithms")
    from network.maven_net import BootstrappedRNN

    return BootstrappedRNN(8, SimpleNamespace(**SMAC)), (torch.randn(6, 8), torch.zeros(6, 8), torch.randn(6, 2))


def case_marl_qmix():
    inside("MARL-Algorithms")
    from network.qmix_net import QMixNet

    return QMixNet(SimpleNamespace(**SMAC)), (torch.randn(2, 3, 3), torch.randn(2, 3, 6))
