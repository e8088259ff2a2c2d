"""Khrylx/PyTorch-RL: steps as functions of networks and optimisers."""

import torch
from exam_surroundings import absent, inside

absent("scipy", "gym")
inside("PyTorch-RL")

from core.a2c import a2c_step
from core.common import estimate_advantages
from core.ppo import ppo_step
from core.trpo import conjugate_gradients, line_search
from models.mlp_critic import Value
from models.mlp_policy import Policy
from models.mlp_policy_disc import DiscretePolicy

PACKAGES = ["PyTorch-RL"]


def networks(discrete=False):
    policy = DiscretePolicy(3, 2) if discrete else Policy(3, 2)
    value = Value(3)
    return policy, value, torch.optim.Adam(policy.parameters()), torch.optim.Adam(value.parameters())


def case_a2c():
    step = torch.compile(a2c_step)
    return step, (*networks(), torch.rand(4, 3), torch.rand(4, 2), torch.rand(4, 1), torch.rand(4, 1), 1e-3)


def case_ppo():
    batch = (torch.rand(4, 3), torch.rand(4, 2), torch.rand(4, 1), torch.rand(4, 1), torch.rand(4, 1))
    return torch.compile(ppo_step), (*networks(), 1, *batch, 0.2, 1e-3)


def case_ppo_discrete():
    actions = torch.randint(0, 2, (4,))
    batch = (torch.rand(4, 3), actions, torch.rand(4, 1), torch.rand(4, 1), torch.rand(4, 1))
    return torch.compile(ppo_step, dynamic=False), (*networks(True), 1, *batch, 0.2, 1e-3)


def case_advantages():
    args = (torch.rand(5, 1), torch.ones(5, 1), torch.rand(5, 1), 0.99, 0.95, torch.device("cpu"))
    return torch.compile(estimate_advantages), args


def case_conjugate_gradients():
    matrix = torch.eye(3) * 2
    solve = torch.compile(conjugate_gradients)
    return solve, (lambda v: matrix @ v, torch.rand(3), 5)


def case_line_search():
    net = torch.nn.Linear(3, 1)
    search = torch.compile(line_search)
    return search, (net, lambda quiet: net.weight.pow(2).sum(), torch.ones(4), -torch.ones(4), torch.tensor(0.1))


def case_select_action():
    policy = Policy(3, 2)
    return torch.compile(policy.select_action), (torch.rand(4, 3),)


def case_select_action_discrete():
    policy = DiscretePolicy(3, 2)
    return torch.compile(policy.select_action), (torch.rand(4, 3),)


def case_fisher():
    policy = Policy(3, 2)
    return torch.compile(policy.get_fim), (torch.rand(4, 3),)
