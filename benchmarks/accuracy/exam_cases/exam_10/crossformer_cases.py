"""Cases of Crossformer."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["Crossformer"]


def case_crossformer():
    inside("Crossformer")
    from cross_models.cross_former import Crossformer

    model = Crossformer(3, 22, 8, 4, win_size=2, factor=3, d_model=8, d_ff=8, n_heads=2, e_layers=2, baseline=True)
    return model, (torch.randn(2, 22, 3),)
