"""openai/spinningup: actors, buffers and losses of several agents."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import torch
from exam_surroundings import absent, inside


class Box:
    shape = (2,)
    high = np.ones(2, dtype=np.float32)


class Discrete:
    n = 3


spaces = ModuleType("gym.spaces")
spaces.Box, spaces.Discrete = Box, Discrete
gym = ModuleType("gym")
gym.spaces = spaces
sys.modules.update({"gym": gym, "gym.spaces": spaces})

absent("scipy", "mpi4py", "tensorflow", "joblib", "cloudpickle", "spinup.utils", "spinup.algos.tf1", "spinup.run")
inside("spinningup")

from spinup.algos.pytorch.ddpg import core as ddpg
from spinup.algos.pytorch.ppo import core as ppo
from spinup.algos.pytorch.sac import core as sac
from spinup.algos.pytorch.sac.sac import ReplayBuffer
from spinup.algos.pytorch.td3 import core as td3

PACKAGES = ["spinningup"]
OBSERVATIONS = SimpleNamespace(shape=(3,))


def case_ppo_step():
    agent = ppo.MLPActorCritic(OBSERVATIONS, Discrete())
    return torch.compile(agent.step), (torch.rand(3),)


def case_ppo_act():
    agent = ppo.MLPActorCritic(OBSERVATIONS, Box())
    return torch.compile(agent.act), (torch.rand(3),)


def case_ppo_policy():
    agent = ppo.MLPActorCritic(OBSERVATIONS, Box())
    return torch.compile(agent.pi), (torch.rand(4, 3), torch.rand(4, 2))


def case_sac_act():
    agent = sac.MLPActorCritic(OBSERVATIONS, Box())
    return torch.compile(agent.act), (torch.rand(1, 3), True)


def case_sac_policy():
    agent = sac.MLPActorCritic(OBSERVATIONS, Box())
    return torch.compile(agent.pi), (torch.rand(4, 3),)


def case_sac_buffer():
    buffer = ReplayBuffer(3, 2, 10)
    for _ in range(5):
        buffer.store(np.ones(3), np.ones(2), 1.0, np.ones(3), False)
    return torch.compile(buffer.sample_batch), (2,)


def case_td3_act():
    agent = td3.MLPActorCritic(OBSERVATIONS, Box())
    return torch.compile(agent.act), (torch.rand(1, 3),)


def case_ddpg_loss():
    agent = ddpg.MLPActorCritic(OBSERVATIONS, Box())
    optimizer = torch.optim.Adam(agent.q.parameters())

    def update(obs, act, target):
        loss = ((agent.q(obs, act) - target) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return torch.compile(update), (torch.rand(4, 3), torch.rand(4, 2), torch.rand(4))
