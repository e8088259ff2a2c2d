"""Cases of pointnet."""

from __future__ import annotations

import sys
import types

import torch

PACKAGES = ["pointnet"]


sys.modules.setdefault("torch_sparse", types.ModuleType("torch_sparse"))  # only named in annotations there


sys.modules["torch_sparse"].SparseTensor = type("SparseTensor", (), {})


def case_point_classes():
    from pointnet import PointNetCls

    return PointNetCls(3, 4), (torch.rand(2, 3, 32),)


def case_point_parts():
    from pointnet import PointNetSeg

    return PointNetSeg(3, 4), (torch.rand(2, 3, 32),)


def case_point_net_of_levels():
    from pointnet import PointNet2ClsSSG

    return PointNet2ClsSSG(3, 4, downsample_points=(16, 8), ks=(4, 4)), (torch.rand(2, 3, 32), torch.rand(2, 3, 32))


def case_point_net_of_scales():
    from pointnet import PointNet2SegSSG

    model = PointNet2SegSSG(3, 4, k=4, downsample_points=(16, 8, 8, 8))
    return model, (torch.rand(2, 3, 32), torch.rand(2, 3, 32))
