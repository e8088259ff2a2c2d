"""Cases of squad."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["squad"]


def case_squad():
    inside("squad")
    from models import BiDAF

    return BiDAF(torch.randn(12, 8), 6, 0.1), (torch.randint(1, 12, (2, 7)), torch.randint(1, 12, (2, 4)))
