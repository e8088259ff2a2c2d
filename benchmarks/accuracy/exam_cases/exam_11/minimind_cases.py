"""Cases of minimind."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["minimind"]


def tokens(high, *shape):
    return torch.randint(1, high, shape)


def mini(**more):
    inside("minimind")
    module = importlib.import_module("model.model_minimind")
    config = module.MiniMindConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                                   vocab_size=40, **more)  # fmt: skip
    return module.MiniMindForCausalLM(config)


def case_mini():
    return mini(), (tokens(40, 2, 6),)


def case_mini_labels():
    return mini(), (tokens(40, 2, 6), torch.ones(2, 6, dtype=torch.long), None, False, 0, tokens(40, 2, 6))


def case_mini_experts():
    return mini(use_moe=True), (tokens(40, 2, 6),)
