"""Cases of tdmpc2."""

from __future__ import annotations

from types import SimpleNamespace

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["tdmpc2"]


def case_tdmpc_shift():
    inside("tdmpc2", "tdmpc2")
    from common.layers import ShiftAug

    return ShiftAug(), (torch.rand(2, 3, 16, 16),)


def case_tdmpc_ensemble():
    inside("tdmpc2", "tdmpc2")
    from common.layers import Ensemble, mlp

    return Ensemble([mlp(5, [8], 3) for _ in range(3)]), (torch.randn(4, 5),)


def case_tdmpc_simnorm():
    inside("tdmpc2", "tdmpc2")
    from common.layers import SimNorm, mlp

    return mlp(5, [8], 8, act=SimNorm(SimpleNamespace(simnorm_dim=4))), (torch.randn(4, 5),)
