"""Cases of drqv2."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["drqv2"]


def f(*shape):
    return torch.randn(*shape)


def case_drq_shift():
    inside("drqv2")
    return importlib.import_module("drqv2").RandomShiftsAug(4), (f(2, 9, 84, 84),)


def case_drq_encoder():
    inside("drqv2")
    return importlib.import_module("drqv2").Encoder((9, 84, 84)), (f(2, 9, 84, 84),)


class Acts(torch.nn.Module):
    def __init__(self, actor, clip):
        super().__init__()
        self.actor, self.clip = actor, clip

    def forward(self, obs):
        dist = self.actor(obs, 0.2)
        action = dist.sample(clip=self.clip)
        return action, dist.log_prob(action).sum(-1)


def case_drq_actor():
    inside("drqv2")
    return Acts(importlib.import_module("drqv2").Actor(20, (3,), 8, 16), 0.3), (f(2, 20),)


def case_drq_critic():
    inside("drqv2")
    return importlib.import_module("drqv2").Critic(20, (3,), 8, 16), (f(2, 20), f(2, 3))
