"""Cases of pymarl."""

from __future__ import annotations

from types import SimpleNamespace

import torch
from exam_configurations import SMAC
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["pymarl"]


class Episodes(dict):
    """A batch of episodes, as pymarl keeps them."""

    batch_size, max_seq_length, device = 2, 3, torch.device("cpu")


def episodes():
    """Three agents, two episodes of three steps."""
    actions = torch.nn.functional.one_hot(torch.randint(0, 4, (2, 3, 3)), 4).float()
    return Episodes(state=torch.randn(2, 3, 6), obs=torch.randn(2, 3, 3, 5), actions_onehot=actions)


def case_pymarl_qmix():
    inside("pymarl", "src")
    from modules.mixers.qmix import QMixer

    return QMixer(SimpleNamespace(**SMAC)), (torch.randn(2, 3, 3), torch.randn(2, 3, 6))


def case_pymarl_coma():
    inside("pymarl", "src")
    from modules.critics.coma import COMACritic

    shapes = {"state": {"vshape": 6}, "obs": {"vshape": 5}, "actions_onehot": {"vshape": (4,)}}
    return COMACritic(shapes, SimpleNamespace(**SMAC)), (episodes(),)


def case_pymarl_qtran():
    inside("pymarl", "src")
    from modules.mixers.qtran import QTranBase

    return QTranBase(SimpleNamespace(**SMAC)), (episodes(), torch.randn(2, 3, 3, 8))


def case_pymarl_agent():
    inside("pymarl", "src")
    from modules.agents.rnn_agent import RNNAgent

    return RNNAgent(5, SimpleNamespace(**SMAC)), (torch.randn(6, 5), torch.zeros(6, 8))
