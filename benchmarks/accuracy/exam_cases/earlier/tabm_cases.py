"""Cases of tabm."""

from __future__ import annotations

import torch

PACKAGES = ["tabm"]


def case_tabm():
    from tabm import TabM

    return TabM.make(n_num_features=3, cat_cardinalities=[4, 2], d_out=1, k=2, n_blocks=1, d_block=8), (
        torch.randn(5, 3),
        torch.randint(0, 2, (5, 2)),
    )
