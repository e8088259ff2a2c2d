"""Cases of RAFT."""

from __future__ import annotations

import sys

import kornia.filters
import kornia.utils
import torch
from exam_surroundings import ABSENT, absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = ["RAFT"]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written


Rotation.as_dcm = Rotation.as_matrix  # likewise


sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it


absent(*ABSENT["exam_09_b"])


def flow(**options):
    """RAFT and two images."""
    inside("RAFT", "core")
    from argparse import Namespace

    from raft import RAFT

    args = Namespace(mixed_precision=False, **{"small": False, **options})
    return RAFT(args), (torch.rand(1, 3, 128, 128) * 255, torch.rand(1, 3, 128, 128) * 255), {"iters": 2}


def case_raft():
    return flow()


def case_raft_small():
    return flow(small=True, dropout=0.1)


def case_raft_test():
    model, images, options = flow()
    return model, images, {**options, "test_mode": True, "flow_init": torch.zeros(1, 2, 16, 16)}
