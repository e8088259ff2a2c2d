"""Cases of MAAC."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["MAAC"]


def case_maac_critic():
    inside("MAAC")
    from utils.critics import AttentionCritic

    given = [(torch.randn(4, 5), torch.nn.functional.one_hot(torch.randint(0, 3, (4,)), 3).float()) for _ in range(2)]
    return AttentionCritic([(5, 3), (5, 3)], 8, attend_heads=2), (given,), {"return_all_q": True, "regularize": True}


def case_maac_policy():
    inside("MAAC")
    from utils.policies import DiscretePolicy

    return DiscretePolicy(5, 3, hidden_dim=8), (torch.randn(4, 5),)


def case_maac_policy_everything():
    model, given = case_maac_policy()
    every = {"return_all_probs": True, "return_log_pi": True, "regularize": True, "return_entropy": True}
    return model, given, every
