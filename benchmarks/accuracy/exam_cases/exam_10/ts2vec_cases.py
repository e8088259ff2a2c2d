"""Cases of ts2vec."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["ts2vec"]


def case_ts2vec():
    inside("ts2vec")
    from models.encoder import TSEncoder

    return TSEncoder(3, 8, 8, 2), (torch.randn(2, 10, 3),)


def case_ts2vec_continuous():
    inside("ts2vec")
    from models.encoder import TSEncoder

    return TSEncoder(3, 8, 8, 2, mask_mode="continuous"), (torch.randn(2, 10, 3),)
