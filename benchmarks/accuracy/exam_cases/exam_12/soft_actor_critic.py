"""pranz24/pytorch-soft-actor-critic: updates from a memory."""

from types import SimpleNamespace

import numpy as np
import torch
from exam_surroundings import inside

inside("pytorch-soft-actor-critic")

from model import GaussianPolicy
from replay_memory import ReplayMemory
from sac import SAC
from utils import create_log_gaussian as log_of_normal
from utils import soft_update

PACKAGES = ["pytorch-soft-actor-critic"]


def ones(size):
    return np.ones(size, dtype=np.float32)  # torch.FloatTensor of a double does not compile


def agent(policy="Gaussian", tuning=True):
    space = SimpleNamespace(shape=(2,), high=np.ones(2), low=-np.ones(2))
    args = SimpleNamespace(
        gamma=0.99, tau=0.005, alpha=0.2, policy=policy, target_update_interval=1,
        automatic_entropy_tuning=tuning, cuda=False, hidden_size=8, lr=1e-3,
    )  # fmt: skip
    return SAC(3, space, args)


def memory():
    memory = ReplayMemory(20, 0)
    for _ in range(10):
        memory.push(ones(3), ones(2), np.float32(0.5), ones(3), np.float32(1.0))
    return memory


def case_update():
    sac = agent()
    return torch.compile(sac.update_parameters), (memory(), 4, 0)


def case_update_deterministic():
    sac = agent("Deterministic", False)
    update = torch.compile(sac.update_parameters)
    return update, (memory(), 4, 0)


def case_act():
    sac = agent()
    return torch.compile(sac.select_action), (ones(3),)


def case_policy_sample():
    policy = GaussianPolicy(3, 2, 8)
    sample = torch.compile(policy.sample)
    return sample, (torch.rand(4, 3),)


def case_soft_update():
    one, two = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    return torch.compile(soft_update), (one, two, 0.1)


def case_log_of_normal():
    return torch.compile(log_of_normal), (torch.rand(4), torch.rand(4), torch.rand(4))
