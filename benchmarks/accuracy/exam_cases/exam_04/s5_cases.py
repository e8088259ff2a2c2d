"""Cases of s5."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["s5"]


def case_state_space():
    from s5 import S5

    return S5(4, 4), (torch.randn(2, 6, 4),)


def case_state_space_block():
    from s5 import S5Block

    return S5Block(4, 4, block_count=2, bidir=False), (torch.randn(2, 6, 4),)
