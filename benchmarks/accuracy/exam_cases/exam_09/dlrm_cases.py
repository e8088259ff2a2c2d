"""Cases of dlrm."""

from __future__ import annotations

import numpy as np
import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["dlrm"]


absent(*ABSENT["exam_09_a"])


def clicks(**options):
    """DLRM with two tables."""
    inside("dlrm")
    from dlrm_s_pytorch import DLRM_Net

    given = {
        "m_spa": 4,
        "ln_emb": np.array([10, 12]),
        "ln_bot": np.array([6, 8, 4]),
        "arch_interaction_op": "dot",
        "ln_top": np.array([7, 8, 1]),
        "sigmoid_bot": -1,
        "sigmoid_top": 1,
        **options,
    }
    model = DLRM_Net(**given)
    offsets = torch.arange(3).repeat(2, 1)
    return model, (torch.rand(3, 6), offsets, [torch.randint(0, 10, (3,)), torch.randint(0, 10, (3,))])


def case_dlrm():
    return clicks()


def case_dlrm_concatenated():
    return clicks(arch_interaction_op="cat", ln_top=np.array([12, 8, 1]), loss_threshold=0.1)


def case_dlrm_quotients():
    return clicks(qr_flag=True, qr_collisions=2, qr_threshold=5)
