"""Cases of Popular-RL-Algorithms."""

from __future__ import annotations

import importlib

import numpy as np
import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["Popular-RL-Algorithms"]


class Box:
    """A space, of observations or actions."""

    def __init__(self, size):
        self.shape = (size,)
        self.n = size
        self.high, self.low = np.ones(size), -np.ones(size)


def popular(module, name, *given, **options):
    """A network of Popular-RL-Algorithms."""
    inside("Popular-RL-Algorithms")
    absent("gym", "reacher", "matplotlib")
    made = getattr(importlib.import_module(f"common.{module}"), name)
    return made(Box(5), Box(2), 8, **options), given


def case_popular_dpg():
    return popular("policy_networks", "DPG_PolicyNetwork", torch.randn(4, 5))


def case_popular_dpg_lstm():
    hidden = torch.zeros(1, 3, 8), torch.zeros(1, 3, 8)
    return popular("policy_networks", "DPG_PolicyNetworkLSTM", torch.randn(3, 6, 5), torch.randn(3, 6, 2), hidden)


def case_popular_sac_gru():
    return popular(
        "policy_networks", "SAC_PolicyNetworkGRU", torch.randn(3, 6, 5), torch.randn(3, 6, 2), torch.zeros(1, 3, 8)
    )


def case_popular_q_gru():
    return popular(
        "value_networks",
        "QNetworkGRU",
        torch.randn(3, 6, 5),
        torch.randn(3, 6, 2),
        torch.randn(3, 6, 2),
        torch.zeros(1, 3, 8),
    )
