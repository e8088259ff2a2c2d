"""Cases of sb3_contrib."""

from __future__ import annotations

import numpy as np
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_d"])


import gymnasium  # noqa: E402
import sb3_contrib  # noqa: E402

PACKAGES = ["sb3_contrib"]


def policy(kind, policy="MlpPolicy", *, discrete=False, **options):
    """The policy of an algorithm of sb3_contrib."""
    actions = gymnasium.spaces.Discrete(3) if discrete else gymnasium.spaces.Box(-1, 1, (2,))
    made = kind.policy_aliases[policy](gymnasium.spaces.Box(-1, 1, (5,)), actions, lambda _: 1e-3, **options)
    made.set_training_mode(False)
    return made


def case_sb3_contrib_tqc_actor():
    return policy(sb3_contrib.TQC, net_arch=[8]).actor, (torch.randn(4, 5),)


def case_sb3_contrib_tqc_critic():
    return policy(sb3_contrib.TQC, net_arch=[8], n_quantiles=5).critic, (torch.randn(4, 5), torch.randn(4, 2))


def case_sb3_contrib_qrdqn():
    return policy(sb3_contrib.QRDQN, discrete=True, net_arch=[8], n_quantiles=5), (torch.randn(4, 5),)


def case_sb3_contrib_maskable():
    return (
        policy(sb3_contrib.MaskablePPO, discrete=True, net_arch=[8]),
        (torch.randn(4, 5),),
        {"action_masks": np.ones((4, 3), bool)},
    )


def case_sb3_contrib_maskable_evaluated():
    made = policy(sb3_contrib.MaskablePPO, discrete=True, net_arch=[8])
    return made.evaluate_actions, (torch.randn(4, 5), torch.tensor([0, 1, 2, 0]), torch.ones(4, 3).bool())


def case_sb3_contrib_recurrent():
    kind = sb3_contrib.RecurrentPPO.policy_aliases["MlpLstmPolicy"]
    made = kind(
        gymnasium.spaces.Box(-1, 1, (5,)),
        gymnasium.spaces.Box(-1, 1, (2,)),
        lambda _: 1e-3,
        net_arch=[8],
        lstm_hidden_size=8,
    )
    states = sb3_contrib.common.recurrent.type_aliases.RNNStates(*[(torch.zeros(1, 4, 8), torch.zeros(1, 4, 8))] * 2)
    return made, (torch.randn(4, 5), states, torch.zeros(4))


def case_sb3_contrib_crossq():
    return policy(sb3_contrib.CrossQ, net_arch=[8]).actor, (torch.randn(4, 5),)
