"""Cases of votenet."""

from __future__ import annotations

import sys
from unittest.mock import MagicMock

import kornia.filters
import kornia.utils
import numpy as np
import torch
from exam_surroundings import ABSENT, absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = ["votenet"]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written


Rotation.as_dcm = Rotation.as_matrix  # likewise


sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it


absent(*ABSENT["exam_09_b"])


def case_votenet_voting():
    inside("votenet", "models")
    from voting_module import VotingModule

    return VotingModule(2, 16), (torch.rand(2, 20, 3), torch.randn(2, 16, 20))


def case_votenet_scores():
    inside("votenet")
    sys.path[:0] = [sys.path[0] + "/" + part for part in ("pointnet2", "utils", "models")]
    sys.modules["pointnet2._ext"] = MagicMock()
    from models.proposal_module import decode_scores

    sizes = np.random.default_rng(0).random((5, 3)).astype("float32")
    ends = {"aggregated_vote_xyz": torch.rand(2, 8, 3)}
    return decode_scores, (torch.randn(2, 2 + 3 + 4 * 2 + 5 * 4 + 6, 8), ends, 6, 4, 5, sizes)


def case_votenet_distance():
    inside("votenet", "utils")
    from nn_distance import nn_distance

    return nn_distance, (torch.rand(2, 8, 3), torch.rand(2, 10, 3)), {"l1": True}


def case_votenet_distance_smooth():
    inside("votenet", "utils")
    from nn_distance import nn_distance

    return nn_distance, (torch.rand(2, 8, 3), torch.rand(2, 10, 3)), {"l1smooth": True}
