"""Cases of pointMLP-pytorch."""

from __future__ import annotations

import sys

import kornia.filters
import kornia.utils
import torch
from exam_surroundings import ABSENT, absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = ["pointMLP-pytorch"]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written


Rotation.as_dcm = Rotation.as_matrix  # likewise


sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it


absent(*ABSENT["exam_09_b"])


def case_pointmlp_loss_free():
    inside("pointMLP-pytorch", "classification_ModelNet40")
    from models import pointmlp
    from pointnet2_ops import pointnet2_utils

    pointnet2_utils.furthest_point_sample = pointmlp.farthest_point_sample
    pointnet2_utils.gather_operation = lambda x, idx: x
    model = pointmlp.Model(
        points=64,
        class_num=4,
        embed_dim=8,
        normalize="anchor",
        use_xyz=False,
        pre_blocks=[1] * 4,
        pos_blocks=[1] * 4,
        k_neighbors=[4] * 4,
    )
    return model, (torch.rand(2, 3, 64),)


def case_pointmlp_grouper():
    inside("pointMLP-pytorch", "classification_ModelNet40")
    from models import pointmlp
    from pointnet2_ops import pointnet2_utils

    pointnet2_utils.furthest_point_sample = pointmlp.farthest_point_sample
    return pointmlp.LocalGrouper(8, 16, 4, normalize="center"), (torch.rand(2, 64, 3), torch.randn(2, 64, 8))


def case_pointmlp_sampling():
    inside("pointMLP-pytorch", "classification_ModelNet40")
    from models import pointmlp

    return pointmlp.farthest_point_sample, (torch.rand(2, 64, 3), 8)


def case_pointmlp_ball():
    inside("pointMLP-pytorch", "classification_ModelNet40")
    from models import pointmlp

    return pointmlp.query_ball_point, (0.3, 8, torch.rand(2, 64, 3), torch.rand(2, 8, 3))
