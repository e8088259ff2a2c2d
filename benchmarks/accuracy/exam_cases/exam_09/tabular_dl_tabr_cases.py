"""Cases of tabular-dl-tabr."""

from __future__ import annotations

import os
import tempfile

import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["tabular-dl-tabr"]


absent(*ABSENT["exam_09_a"])


def case_tabr_embeddings():
    inside("tabular-dl-tabr")
    os.environ["PROJECT_DIR"] = tempfile.gettempdir()
    from lib.deep import PeriodicEmbeddings

    return PeriodicEmbeddings(4, 6, 0.1), (torch.randn(3, 4),)


def case_tabr_one_hot():
    inside("tabular-dl-tabr")
    os.environ["PROJECT_DIR"] = tempfile.gettempdir()
    from lib.deep import OneHotEncoder

    return OneHotEncoder([3, 4]), (torch.randint(0, 3, (5, 2)),)
