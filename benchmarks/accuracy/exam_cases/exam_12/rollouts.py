"""ikostrikov/pytorch-a2c-ppo-acktr-gail: rollouts and their updates."""

from types import SimpleNamespace

import torch
from exam_surroundings import absent, inside

absent("gym", "stable_baselines3", "dmc2gym", "roboschool", "pybullet_envs", "h5py")
inside("pytorch-a2c-ppo-acktr-gail")

from a2c_ppo_acktr import algo
from a2c_ppo_acktr.algo.gail import Discriminator
from a2c_ppo_acktr.model import Policy
from a2c_ppo_acktr.storage import RolloutStorage

PACKAGES = ["pytorch-a2c-ppo-acktr-gail"]


class Discrete:
    n = 3


class Box:
    shape = (2,)


def rollouts(policy, space):
    storage = RolloutStorage(4, 2, (5,), space, policy.recurrent_hidden_state_size)
    storage.obs.normal_()
    storage.returns.normal_()
    return storage


def policy(space=None, recurrent=False):
    return Policy((5,), space or Discrete(), base_kwargs={"recurrent": recurrent})


def case_a2c():
    actor = policy()
    agent = algo.A2C_ACKTR(actor, 0.5, 0.01, lr=1e-3, eps=1e-5, alpha=0.99, max_grad_norm=0.5)
    return torch.compile(agent.update), (rollouts(actor, Discrete()),)


def case_ppo():
    actor = policy()
    agent = algo.PPO(actor, 0.2, 1, 2, 0.5, 0.01, lr=1e-3, eps=1e-5, max_grad_norm=0.5)
    return torch.compile(agent.update), (rollouts(actor, Discrete()),)


def case_ppo_recurrent():
    actor = policy(recurrent=True)
    agent = algo.PPO(actor, 0.2, 1, 2, 0.5, 0.01, lr=1e-3, eps=1e-5, max_grad_norm=0.5)
    update = torch.compile(agent.update)
    return update, (rollouts(actor, Discrete()),)


def case_acktr():
    actor = policy()
    agent = algo.A2C_ACKTR(actor, 0.5, 0.01, acktr=True)
    return torch.compile(agent.update), (rollouts(actor, Discrete()),)


def case_act():
    actor = policy()
    return torch.compile(actor.act), (torch.rand(2, 5), torch.zeros(2, 1), torch.ones(2, 1))


def case_act_continuous():
    actor = policy(Box())
    act = torch.compile(actor.act)
    return act, (torch.rand(2, 5), torch.zeros(2, 1), torch.ones(2, 1), True)


def case_evaluate_recurrent():
    actor = policy(recurrent=True)
    size = actor.recurrent_hidden_state_size
    args = (torch.rand(6, 5), torch.zeros(2, size), torch.ones(6, 1), torch.zeros(6, 1).long())
    return torch.compile(actor.evaluate_actions), args


def case_returns():
    storage = rollouts(policy(), Discrete())
    return torch.compile(storage.compute_returns), (torch.rand(2, 1), True, 0.99, 0.95, True)


def case_gradient_penalty():
    judge = Discriminator(7, 8, torch.device("cpu"))
    args = (torch.rand(4, 5), torch.rand(4, 2), torch.rand(4, 5), torch.rand(4, 2))
    return torch.compile(judge.compute_grad_pen), args


def case_reward():
    judge = Discriminator(7, 8, torch.device("cpu"))
    judge.ret_rms = SimpleNamespace(update=lambda x: None, var=[1.0])
    return torch.compile(judge.predict_reward), (torch.rand(4, 5), torch.rand(4, 2), 0.9, torch.ones(4, 1))
