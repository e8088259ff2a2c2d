"""Cases of stable_baselines3."""

from __future__ import annotations

import torch

PACKAGES = ["stable_baselines3"]


def spaces(actions):
    import numpy as np
    from gymnasium import spaces

    return spaces.Box(-1, 1, (4,), dtype=np.float32), actions


def case_policy():
    from gymnasium.spaces import Discrete
    from stable_baselines3.common.policies import ActorCriticPolicy

    return ActorCriticPolicy(*spaces(Discrete(3)), lambda _: 0.1), (torch.randn(2, 4),)


def case_policy_of_numbers():
    from gymnasium.spaces import Box
    from stable_baselines3.common.policies import ActorCriticPolicy

    return ActorCriticPolicy(*spaces(Box(-1, 1, (2,))), lambda _: 0.1), (torch.randn(2, 4),)


def case_policy_that_explores():
    from gymnasium.spaces import Box
    from stable_baselines3.common.policies import ActorCriticPolicy

    model = ActorCriticPolicy(*spaces(Box(-1, 1, (2,))), lambda _: 0.1, use_sde=True, squash_output=True)
    return model, (torch.randn(2, 4),)


class Judged(torch.nn.Module):
    def __init__(self, policy) -> None:
        super().__init__()
        self.policy = policy

    def forward(self, observation, action):
        return self.policy.evaluate_actions(observation, action)


def case_judged_actions():
    from gymnasium.spaces import MultiDiscrete
    from stable_baselines3.common.policies import ActorCriticPolicy

    model = ActorCriticPolicy(*spaces(MultiDiscrete([2, 3])), lambda _: 0.1)
    return Judged(model), (torch.randn(2, 4), torch.ones(2, 2))


def case_q_network():
    from gymnasium.spaces import Discrete
    from stable_baselines3.dqn.policies import DQNPolicy

    return DQNPolicy(*spaces(Discrete(3)), lambda _: 0.1), (torch.randn(2, 4),)


def case_soft_actor():
    from gymnasium.spaces import Box
    from stable_baselines3.sac.policies import SACPolicy

    return SACPolicy(*spaces(Box(-1, 1, (2,))), lambda _: 0.1).actor, (torch.randn(2, 4),)
