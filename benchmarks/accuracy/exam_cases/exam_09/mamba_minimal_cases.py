"""Cases of mamba-minimal."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["mamba-minimal"]


absent(*ABSENT["exam_09_a"])


def case_mamba_minimal():
    inside("mamba-minimal")
    from model import Mamba, ModelArgs

    return Mamba(ModelArgs(d_model=16, n_layer=1, vocab_size=60)), (torch.randint(0, 60, (2, 6)),)
