"""Kaixhin/Rainbow: learning from a prioritised memory."""

from types import SimpleNamespace

import numpy as np
import torch
from exam_surroundings import inside

inside("Rainbow")

from agent import Agent
from model import DQN

PACKAGES = ["Rainbow"]


class Memory:
    """Gives one batch."""

    def sample(self, size):
        return (
            np.arange(size), torch.rand(size, 4, 84, 84), torch.randint(0, 3, (size,)), torch.rand(size),
            torch.rand(size, 4, 84, 84), torch.ones(size, 1), torch.ones(size),
        )  # fmt: skip

    def update_priorities(self, rows, losses):
        self.last = losses.sum()


def options():
    return SimpleNamespace(
        atoms=5, V_min=-1.0, V_max=1.0, device="cpu", batch_size=3, multi_step=2, discount=0.9, norm_clip=10.0,
        model=None, learning_rate=1e-3, adam_eps=1e-4, architecture="canonical", history_length=4, hidden_size=8,
        noisy_std=0.1,
    )  # fmt: skip


def agent():
    return Agent(options(), SimpleNamespace(action_space=lambda: 3))


def case_learn():
    learner = agent()
    return torch.compile(learner.learn), (Memory(),)


def case_act():
    return torch.compile(agent().act), (torch.rand(4, 84, 84),)


def case_evaluate():
    player = agent()
    player.evaluate_q = torch.compile(player.evaluate_q)
    return player.evaluate_q, (torch.rand(4, 84, 84),)


def case_act_e_greedy():
    player = agent()
    return torch.compile(player.act_e_greedy), (torch.rand(4, 84, 84), 0.0)


def case_network():
    net = torch.compile(DQN(options(), 3))
    return net, (torch.rand(2, 4, 84, 84),), {"log": True}


def case_reset_noise():
    net = DQN(options(), 3)
    return torch.compile(net.reset_noise), ()
