"""Cases of tabicl."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_d"])


from tabicl._model.tabicl import TabICL  # noqa: E402

PACKAGES = ["tabicl"]


def table():
    """TabICL and four tables of twelve rows."""
    return TabICL(
        max_classes=3,
        embed_dim=16,
        col_num_blocks=1,
        col_nhead=2,
        col_num_inds=4,
        row_num_blocks=1,
        row_nhead=2,
        row_num_cls=2,
        icl_num_blocks=1,
        icl_nhead=2,
    )


def case_tabicl():
    model = table()
    return model, (torch.randn(2, 12, 5), torch.tensor([0.0, 1, 2, 0, 1, 2, 0, 1]).repeat(2, 1))
