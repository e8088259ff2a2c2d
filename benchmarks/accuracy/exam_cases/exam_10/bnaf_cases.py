"""Cases of BNAF."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["BNAF"]


def case_bnaf():
    inside("BNAF")
    from bnaf import BNAF, MaskedWeight, Permutation, Sequential, Tanh

    flow = BNAF(MaskedWeight(2, 8, dim=2), Tanh(), MaskedWeight(8, 2, dim=2), res="gated")
    return Sequential(flow, Permutation(2, "flip"), BNAF(MaskedWeight(2, 2, dim=2), Tanh())), (torch.randn(5, 2),)
