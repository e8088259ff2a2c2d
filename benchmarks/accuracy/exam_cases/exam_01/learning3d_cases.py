"""Cases of learning3d."""

from __future__ import annotations

import sys
import types

import torch

PACKAGES = ["learning3d"]


sys.modules.setdefault("torch_sparse", types.ModuleType("torch_sparse"))  # only named in annotations there


sys.modules["torch_sparse"].SparseTensor = type("SparseTensor", (), {})


def cloud(n: int = 32, batch: int = 2) -> torch.Tensor:
    return torch.rand(batch, n, 3)


def case_point_net():
    from learning3d.models import Classifier, PointNet

    return Classifier(PointNet(emb_dims=32, use_bn=True), 4), (cloud(),)


def case_point_segmentation():
    from learning3d.models import PointNet, Segmentation

    return Segmentation(PointNet(emb_dims=32, global_feat=False), 4), (cloud(),)


def case_dynamic_graph():
    from learning3d.models import DGCNN

    return DGCNN(emb_dims=32), (cloud(),)


def case_completion():
    from learning3d.models import PCN

    return PCN(num_coarse=16, grid_size=2, detailed_output=True), (cloud(),)


def case_registered_by_points():
    from learning3d.models import PointNet, iPCRNet

    return iPCRNet(PointNet(emb_dims=1024)), (cloud(), cloud(), 2)


def case_registered_by_descent():
    from learning3d.models import PointNet, PointNetLK

    return PointNetLK(PointNet(emb_dims=32)), (cloud(), cloud(), 2)


def case_registered_by_matching():
    from learning3d.models import DCP, DGCNN

    return DCP(DGCNN(emb_dims=32), pointer_="identity"), (cloud(), cloud())


def case_masked_points():
    from learning3d.models import MaskNet, PointNet

    return MaskNet(PointNet(emb_dims=1024)), (cloud(), cloud(24))


def case_curves():
    from learning3d.models import CurveNet

    return CurveNet(4, k=4, emb_dims=64), (cloud(1024),)


def case_point_features():
    from learning3d.models import PPFNet

    return PPFNet(num_neighbors=8), (cloud(), cloud())


def case_point_conv():
    from learning3d.models import create_pointconv

    model = create_pointconv(classifier=True, pretrained=None)(emb_dims=32, input_shape="bnc", input_channel_dim=3)
    return model, (cloud(1024),)


def case_chamfer():
    from learning3d.losses import ChamferDistanceLoss

    return ChamferDistanceLoss(), (cloud(), cloud())
