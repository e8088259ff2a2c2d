"""MishaLaskin/curl: an agent of several losses."""

import numpy as np
import torch
from exam_surroundings import absent, inside

absent("gym", "skimage", "tensorboard", "torch.utils.tensorboard", "torchvision", "termcolor")
inside("curl")

import utils
from curl_sac import CurlSacAgent

PACKAGES = ["curl"]


class Log:
    """Takes what is logged."""

    def __getattr__(self, name):
        return lambda *given: None


class Buffer:
    """Gives one batch."""

    def sample_cpc(self):
        obs = torch.rand(2, 3, 84, 84)
        return obs, torch.rand(2, 2), torch.rand(2, 1), obs, torch.ones(2, 1), {"obs_anchor": obs, "obs_pos": obs}


def agent():
    return CurlSacAgent((3, 84, 84), (2,), torch.device("cpu"), hidden_dim=8, num_layers=2, num_filters=2)


def case_update():
    learner = agent()
    return torch.compile(learner.update), (Buffer(), Log(), 1)


def case_update_critic():
    learner = agent()
    batch = Buffer().sample_cpc()[:5]
    return torch.compile(learner.update_critic), (*batch, Log(), 1)


def case_update_actor():
    learner = agent()
    return torch.compile(learner.update_actor_and_alpha), (torch.rand(2, 3, 84, 84), Log(), 1)


def case_update_cpc():
    learner = agent()
    obs = torch.rand(2, 3, 84, 84)
    step = torch.compile(learner.update_cpc)
    return step, (obs, obs, {}, Log(), 1)


def case_act():
    return torch.compile(agent().select_action), (np.ones((3, 84, 84), dtype=np.float32),)


def case_sample_action():
    return torch.compile(agent().sample_action), (np.ones((3, 84, 84), dtype=np.float32),)


def case_soft_update():
    one, two = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    return torch.compile(utils.soft_update_params), (one, two, 0.1)


def case_preprocess():
    return torch.compile(utils.preprocess_obs), (torch.rand(3, 8, 8) * 255,)


def case_hash():
    return torch.compile(utils.module_hash), (torch.nn.Linear(2, 2),)
