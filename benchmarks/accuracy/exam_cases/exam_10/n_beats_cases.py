"""Cases of N-BEATS."""

from __future__ import annotations

import numpy as np
import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["N-BEATS"]


def case_nbeats():
    inside("N-BEATS")
    np.float = float
    from models.nbeats import GenericBasis, NBeats, NBeatsBlock, SeasonalityBasis, TrendBasis

    blocks = [
        NBeatsBlock(10, 14, GenericBasis(10, 4), 2, 8),
        NBeatsBlock(10, 6, TrendBasis(2, 10, 4), 2, 8),
        NBeatsBlock(10, 8, SeasonalityBasis(1, 10, 4), 2, 8),
    ]
    return NBeats(torch.nn.ModuleList(blocks[:2])), (torch.randn(3, 10), torch.ones(3, 10))
