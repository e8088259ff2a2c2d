"""sfujim/TD3: agents whose training steps are compiled."""

import numpy as np
import torch
from exam_surroundings import inside

inside("TD3")

import DDPG
import OurDDPG
import TD3
from utils import ReplayBuffer

PACKAGES = ["TD3"]


def memory():
    buffer = ReplayBuffer(3, 2, 20)
    for _ in range(10):
        buffer.add(np.ones(3), np.zeros(2), np.ones(3), 0.5, 0.0)
    for name in (
        "state",
        "action",
        "next_state",
        "reward",
        "not_done",
    ):  # torch.FloatTensor of a double does not compile
        setattr(buffer, name, getattr(buffer, name).astype(np.float32))
    return buffer


def case_train():
    agent = TD3.TD3(3, 2, 1.0, policy_freq=1)
    step = torch.compile(agent.train)
    return step, (memory(), 4)


def case_act():
    agent = TD3.TD3(3, 2, 1.0)
    return torch.compile(agent.select_action), (np.ones(3, dtype=np.float32),)


def case_sample():
    buffer = memory()
    return torch.compile(buffer.sample), (4,)


def case_ddpg():
    agent = DDPG.DDPG(3, 2, 1.0)
    agent.train = torch.compile(agent.train)
    return agent.train, (memory(), 4)


def case_our_ddpg():
    agent = OurDDPG.DDPG(3, 2, 1.0)
    return torch.compile(agent.train), (memory(), 4)


def case_critic_loss():
    agent = TD3.TD3(3, 2, 1.0)

    @torch.compile
    def critic_loss(state, action, target):
        first, second = agent.critic(state, action)
        return ((first - target) ** 2 + (second - target) ** 2).mean()

    return critic_loss, (torch.rand(4, 3), torch.rand(4, 2), torch.rand(4, 1))
