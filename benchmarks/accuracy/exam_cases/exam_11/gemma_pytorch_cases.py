"""Cases of gemma_pytorch."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["gemma_pytorch"]


def f(*shape):
    return torch.randn(*shape)


def case_gemma_sampler():
    inside("gemma_pytorch")
    gemma, config = importlib.import_module("gemma.model"), importlib.import_module("gemma.config")
    model = gemma.Sampler(32, config.get_config_for_2b())
    return model, (
        f(32, 16),
        f(1, 4, 16),
        torch.tensor([3]),
        torch.tensor([0.9]),
        torch.tensor([0.8]),
        torch.tensor([5]),
    )


def case_gemma_greedy():
    inside("gemma_pytorch")
    gemma, config = importlib.import_module("gemma.model"), importlib.import_module("gemma.config")
    model = gemma.Sampler(32, config.get_config_for_2b())
    return model, (f(32, 16), f(1, 4, 16), torch.tensor([3]), None, torch.tensor([0.8]), torch.tensor([5]))
