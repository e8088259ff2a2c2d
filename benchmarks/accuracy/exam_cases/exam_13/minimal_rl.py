"""seungeunrho/minimalRL: agents in a file each."""

import random

import numpy as np
import torch
from exam_surroundings import absent, inside

absent("gym")
inside("minimalRL")

import a2c
import acer
import actor_critic
import dqn
import ppo
import REINFORCE
import sac

PACKAGES = ["minimalRL"]


def state(size=4):
    return np.random.rand(size).astype(np.float32)


def case_ppo():
    agent = ppo.PPO()
    for _ in range(4):
        agent.put_data((state().tolist(), 1, 0.1, state().tolist(), 0.5, False))
    return torch.compile(agent.train_net), ()


def case_ppo_policy():
    agent = ppo.PPO()
    return torch.compile(agent.pi), (torch.rand(3, 4),), {"softmax_dim": 1}


def case_actor_critic():
    agent = actor_critic.ActorCritic()
    for _ in range(4):
        agent.put_data((state().tolist(), 1, 0.1, state().tolist(), False))
    agent.train_net = torch.compile(agent.train_net)
    return agent.train_net, ()


def case_reinforce():
    policy = REINFORCE.Policy()
    for _ in range(3):
        policy.put_data((1.0, policy(torch.rand(4))[0]))
    return torch.compile(policy.train_net), ()


def case_dqn():
    memory = dqn.ReplayBuffer()
    for _ in range(40):
        memory.put((state().tolist(), 1, 0.1, state().tolist(), 1.0))
    net, target = dqn.Qnet(), dqn.Qnet()
    train = torch.compile(dqn.train)
    return train, (net, target, memory, torch.optim.Adam(net.parameters()))


def case_dqn_action():
    net = dqn.Qnet()
    return torch.compile(net.sample_action), (torch.rand(4), 0.0)


def case_sac_policy():
    policy, first, second = sac.PolicyNet(1e-3), sac.QNet(1e-3), sac.QNet(1e-3)
    batch = (torch.rand(3, 3), torch.rand(3, 1), torch.rand(3, 1), torch.rand(3, 3), torch.ones(3, 1))
    return torch.compile(policy.train_net), (first, second, batch)


def case_sac_critic():
    first = sac.QNet(1e-3)
    batch = (torch.rand(3, 3), torch.rand(3, 1), torch.rand(3, 1), torch.rand(3, 3), torch.ones(3, 1))
    step = torch.compile(first.train_net)
    return step, (torch.rand(3, 1), batch)


def case_sac_target():
    batch = (torch.rand(3, 3), torch.rand(3, 1), torch.rand(3, 1), torch.rand(3, 3), torch.ones(3, 1))
    target = torch.compile(sac.calc_target)
    return target, (sac.PolicyNet(1e-3), sac.QNet(1e-3), sac.QNet(1e-3), batch)


def case_sac_soft_update():
    first = sac.QNet(1e-3)
    return torch.compile(first.soft_update), (sac.QNet(1e-3),)


def case_acer():
    model = acer.ActorCritic()

    class Memory:
        def sample(self, on_policy):
            first = [True, False, False]
            return (
                torch.rand(3, 4), torch.zeros(3, 1).long(), torch.rand(3, 1), torch.full((3, 2), 0.5),
                torch.ones(3, 1), first,
            )  # fmt: skip

    return torch.compile(acer.train), (model, torch.optim.Adam(model.parameters()), Memory())


def case_a2c_target():
    rewards, masks = [np.ones(2), np.ones(2)], [np.ones(2), np.zeros(2)]
    return torch.compile(a2c.compute_target), (np.ones((2, 1)), rewards, masks)


def case_sample():
    random.seed(0)
    memory = dqn.ReplayBuffer()
    for _ in range(5):
        memory.put((state().tolist(), 1, 0.1, state().tolist(), 1.0))
    return torch.compile(memory.sample), (2,)
