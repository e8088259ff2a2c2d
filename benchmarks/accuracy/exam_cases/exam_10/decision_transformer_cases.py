"""Cases of decision-transformer."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["decision-transformer"]


def case_decision_transformer():
    inside("decision-transformer", "gym")
    import transformers.modeling_utils
    from transformers.pytorch_utils import Conv1D

    transformers.modeling_utils.Conv1D = Conv1D
    from decision_transformer.models.decision_transformer import DecisionTransformer

    model = DecisionTransformer(4, 2, 16, n_layer=1, n_head=2, n_inner=16)
    states, actions, rewards = torch.randn(2, 5, 4), torch.randn(2, 5, 2), torch.randn(2, 5, 1)
    return model, (states, actions, None, rewards, torch.randint(0, 9, (2, 5)))


def case_decision_behaviour():
    inside("decision-transformer", "gym")
    from decision_transformer.models.mlp_bc import MLPBCModel

    return MLPBCModel(4, 2, 8, 2, max_length=3), (torch.randn(2, 5, 4), None, None)
