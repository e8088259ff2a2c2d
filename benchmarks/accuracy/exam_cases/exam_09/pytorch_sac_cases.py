"""Cases of pytorch_sac."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["pytorch_sac"]


absent(*ABSENT["exam_09_a"])


def case_sac_actor():
    inside("pytorch_sac")
    from agent.actor import DiagGaussianActor

    class Policy(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.actor = DiagGaussianActor(5, 2, 16, 2, (-5, 2))

        def forward(self, seen):
            found = self.actor(seen)
            action = found.rsample()
            return action, found.log_prob(action).sum(-1), found.mean

    return Policy(), (torch.randn(4, 5),)


def case_sac_critic():
    inside("pytorch_sac")
    from agent.critic import DoubleQCritic

    return DoubleQCritic(5, 2, 16, 2), (torch.randn(4, 5), torch.randn(4, 2))
