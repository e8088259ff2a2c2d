"""Cases of Point-Transformers."""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace

import kornia.filters
import kornia.utils
import torch
from exam_surroundings import ABSENT, absent, inside
from scipy.spatial.transform import Rotation

PACKAGES = ["Point-Transformers"]


kornia.filters.filter2D = kornia.filters.filter2d  # its name when GIRAFFE was written


Rotation.as_dcm = Rotation.as_matrix  # likewise


sys.modules["kornia.utils.grid"] = kornia.utils  # where LoFTR looks for a function of it


absent(*ABSENT["exam_09_b"])


def points(kind: str, **model):
    """A model of Point-Transformers, of points with normals."""
    inside("Point-Transformers")
    module = importlib.import_module(f"models.{kind}.model")
    return module, SimpleNamespace(num_point=256, num_class=4, input_dim=6, model=SimpleNamespace(**model))


def case_point_transformer_hengshuang():
    module, config = points("Hengshuang", nneighbor=4, nblocks=2, transformer_dim=16)
    return module.PointTransformerCls(config), (torch.rand(2, 256, 6),)


def case_point_transformer_hengshuang_segments():
    module, config = points("Hengshuang", nneighbor=4, nblocks=2, transformer_dim=16)
    return module.PointTransformerSeg(config), (torch.rand(2, 256, 6),)


def case_point_transformer_menghao():
    module, config = points("Menghao")
    config.num_point = 1024
    return module.PointTransformerCls(config), (torch.rand(2, 1024, 6),)


def case_point_transformer_nico():
    module, config = points("Nico", n_head=2, m=2, k=8, global_k=16, global_dim=16, local_dim=16, reduce_dim=8)
    return module.PointTransformerCls(config), (torch.rand(2, 1024, 6),)


def case_point_transformer_sets_of_all():
    inside("Point-Transformers")
    from pointnet_util import PointNetSetAbstraction

    model = PointNetSetAbstraction(None, None, None, 3 + 3, [8, 16], group_all=True)
    return model, (torch.rand(2, 64, 3), torch.rand(2, 64, 3))


def case_point_transformer_sets_with_radius():
    inside("Point-Transformers")
    from pointnet_util import PointNetSetAbstraction

    model = PointNetSetAbstraction(16, 0.3, 8, 3 + 3, [8, 16], group_all=False)
    return model, (torch.rand(2, 64, 3), torch.rand(2, 64, 3))
