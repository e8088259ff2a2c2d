"""Cases of saint."""

from __future__ import annotations

import numpy as np
import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["saint"]


absent(*ABSENT["exam_09_a"])


def rows(kind="colrow", **options):
    """SAINT on three categories and two numbers, and its embedding of them."""
    inside("saint")
    from augmentations import embed_data_mask
    from models import SAINT

    given = {"num_continuous": 2, "dim": 8, "depth": 1, "heads": 2, "attentiontype": kind, **options}
    model = SAINT(categories=np.array([1, 4, 5]), y_dim=2, **given)

    class Trained(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = model

        def forward(self, categories, numbers, known, present):
            _, first, second = embed_data_mask(categories, numbers, known, present, self.net)
            reps = self.net.transformer(first, second)
            return self.net.mlpfory(reps[:, 0, :]), self.net(first, second)

    categories = torch.stack([torch.zeros(4).long(), torch.randint(0, 4, (4,)), torch.randint(0, 5, (4,))], 1)
    return Trained(), (categories, torch.randn(4, 2), torch.ones(4, 3).long(), torch.ones(4, 2).long())


def case_saint():
    return rows()


def case_saint_columns():
    return rows("col", final_mlp_style="sep")


def case_saint_mixup():
    inside("saint")
    from augmentations import add_noise, mixup_data

    class Noised(torch.nn.Module):
        def forward(self, first, second):
            return mixup_data(first, second, lam=0.3), add_noise(first.long(), second)

    return Noised(), (torch.randint(0, 4, (6, 3)), torch.randn(6, 2))
