"""Cases of on-policy."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import numpy as np
import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["on-policy"]


def f(*shape):
    return torch.randn(*shape)


def tokens(high, *shape):
    return torch.randint(1, high, shape)


def policy(module, name, *given, **named):
    inside("on-policy")
    return getattr(importlib.import_module(f"onpolicy.algorithms.{module}"), name)(*given, **named)


def policy_args(**more):
    return SimpleNamespace(**{
        "hidden_size": 16, "gain": 0.01, "use_orthogonal": True, "use_policy_active_masks": True, "use_ReLU": True,
        "use_naive_recurrent_policy": False, "use_recurrent_policy": True, "recurrent_N": 1, "algorithm_name": "rmappo",
        "use_feature_normalization": True, "stacked_frames": 1, "layer_N": 1, "use_popart": True,
        "use_valuenorm": False,
        **more,
    })  # fmt: skip


class Discrete:
    n = 4


class Box:
    shape = (6,)


def case_policy_actor():
    model = policy("r_mappo.algorithm.r_actor_critic", "R_Actor", policy_args(), Box(), Discrete())
    return model, (f(3, 6), torch.zeros(3, 1, 16), torch.ones(3, 1))


def case_policy_actor_numpy():
    model = policy("r_mappo.algorithm.r_actor_critic", "R_Actor", policy_args(), Box(), Discrete())
    return model, (np.zeros((3, 6), "float32"), np.zeros((3, 1, 16), "float32"), np.ones((3, 1), "float32"))


class Evaluates(torch.nn.Module):
    def __init__(self, actor):
        super().__init__()
        self.actor = actor

    def forward(self, obs, states, action, masks):
        return self.actor.evaluate_actions(obs, states, action, masks)


def case_policy_evaluates():
    model = policy("r_mappo.algorithm.r_actor_critic", "R_Actor", policy_args(), Box(), Discrete())
    return Evaluates(model), (f(6, 6), torch.zeros(3, 1, 16), tokens(4, 6, 1), torch.ones(6, 1))


def case_policy_critic():
    model = policy("r_mappo.algorithm.r_actor_critic", "R_Critic", policy_args(), Box())
    return model, (f(3, 6), torch.zeros(3, 1, 16), torch.ones(3, 1))


def case_policy_rnn():
    masks = torch.ones(6, 1)
    masks[2:4] = 0
    return policy("utils.rnn", "RNNLayer", 8, 8, 1, True), (f(6, 8), torch.zeros(2, 1, 8), masks)


def case_policy_popart():
    return policy("utils.popart", "PopArt", 8, 1), (f(5, 8),)


class Normalizes(torch.nn.Module):
    def __init__(self, popart):
        super().__init__()
        self.popart = popart

    def forward(self, x):
        self.popart.update(x)
        return self.popart.denormalize(self.popart.normalize(x))


def case_policy_popart_update():
    return Normalizes(policy("utils.popart", "PopArt", 8, 1)), (f(5, 1),)


def case_policy_gaussian():
    return policy("utils.distributions", "DiagGaussian", 8, 3), (f(5, 8),)


def case_policy_categorical():
    available = torch.ones(5, 3)
    available[0, 1] = 0
    return policy("utils.distributions", "Categorical", 8, 3), (f(5, 8), available)


def case_policy_transformer():
    model = policy("mat.algorithm.ma_transformer", "MultiAgentTransformer", 5, 6, 4, 3, 1, 8, 2)
    return model, (f(2, 3, 5), f(2, 3, 6), tokens(4, 2, 3, 1))


class Acting(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, state, obs):
        return self.model.get_actions(state, obs)


def case_policy_transformer_acts():
    model = policy("mat.algorithm.ma_transformer", "MultiAgentTransformer", 5, 6, 4, 3, 1, 8, 2)
    return Acting(model), (f(2, 3, 5), f(2, 3, 6))
