"""Graphs that change in time, knowledge graphs and clouds of points."""

from __future__ import annotations

import sys
import types

import torch

PACKAGES = ["torch_geometric_temporal", "torchkge", "learning3d", "pointnet", "point_transformer_pytorch"]
sys.modules.setdefault("torch_sparse", types.ModuleType("torch_sparse"))  # only named in annotations there
sys.modules["torch_sparse"].SparseTensor = type("SparseTensor", (), {})


def graph():
    edges = torch.tensor([[0, 1, 2, 3, 4, 0], [1, 2, 3, 4, 0, 2]])
    return edges, torch.rand(6)


def recurrent(name: str, *options, **named):
    import torch_geometric_temporal.nn as nn

    return getattr(nn, name)(*options, **named), (torch.randn(5, 4), *graph())


def case_gconv_gru():
    return recurrent("GConvGRU", 4, 8, 2)


def case_gconv_lstm():
    return recurrent("GConvLSTM", 4, 8, 2)


def case_gc_lstm():
    return recurrent("GCLSTM", 4, 8, 2)


def case_dcrnn():
    return recurrent("DCRNN", 4, 8, 2)


def case_tgcn():
    return recurrent("TGCN", 4, 8)


def case_evolving():
    return recurrent("EvolveGCNO", 4)


def case_evolving_by_pooling():
    return recurrent("EvolveGCNH", 5, 4)


def case_message_passing_lstm():
    return recurrent("MPNNLSTM", 4, 8, 5, 1, 0.1)


def case_attentive_tgcn():
    from torch_geometric_temporal.nn import A3TGCN

    return A3TGCN(4, 8, 3), (torch.randn(5, 4, 3), *graph())


def case_adaptive():
    from torch_geometric_temporal.nn import AGCRN

    return AGCRN(5, 4, 8, 2, 3), (torch.randn(1, 5, 4), torch.randn(5, 3))


def case_spatio_temporal_conv():
    from torch_geometric_temporal.nn import STConv

    return STConv(5, 4, 8, 8, 3, 2), (torch.randn(2, 8, 5, 4), *graph())


def case_astgcn():
    from torch_geometric_temporal.nn import ASTGCN

    return ASTGCN(1, 4, 2, 8, 8, 1, 3, 6, 5), (torch.randn(2, 5, 4, 6), graph()[0])


def case_mstgcn():
    from torch_geometric_temporal.nn import MSTGCN

    return MSTGCN(1, 4, 2, 8, 8, 1, 3, 6), (torch.randn(2, 5, 4, 6), graph()[0])


def case_gman():
    from torch_geometric_temporal.nn import GMAN

    times = torch.stack([torch.randint(0, 7, (2, 6)), torch.randint(0, 24, (2, 6))], -1)
    return GMAN(1, 2, 4, 3, 0.1, 24, True, False), (torch.randn(2, 3, 5), torch.randn(5, 8), times)


def case_two_streams():
    from torch_geometric_temporal.nn import AAGCN

    return AAGCN(4, 8, graph()[0], 5), (torch.randn(2, 4, 6, 5),)


def case_layers_of_a_hetero_graph():
    from torch_geometric_temporal.nn import HeteroGCLSTM

    metadata = (["a", "b"], [("a", "to", "b"), ("b", "to", "a")])
    edges = {kind: graph()[0] for kind in metadata[1]}
    return HeteroGCLSTM({"a": 4, "b": 4}, 8, metadata), ({"a": torch.randn(5, 4), "b": torch.randn(5, 4)}, edges)


def triples():
    return torch.randint(0, 8, (4,)), torch.randint(0, 8, (4,)), torch.randint(0, 3, (4,))


class Scores(torch.nn.Module):
    """The scores of facts that hold and of facts made up."""

    def __init__(self, model) -> None:
        super().__init__()
        self.model = model

    def forward(self, heads, tails, relations, others):
        return self.model(heads, tails, relations, others, tails)


def knowledge(name: str, *options):
    import torchkge.models

    return Scores(getattr(torchkge.models, name)(*options)), (*triples(), torch.randint(0, 8, (4,)))


def case_translation():
    return knowledge("TransEModel", 4, 8, 3)


def case_translation_on_planes():
    return knowledge("TransHModel", 4, 8, 3)


def case_translation_by_relation():
    return knowledge("TransRModel", 4, 3, 8, 3)


def case_torus():
    return knowledge("TorusEModel", 4, 8, 3, "torus_L2")


def case_tensor_factors():
    return knowledge("RESCALModel", 4, 8, 3)


def case_holographic():
    return knowledge("HolEModel", 4, 8, 3)


def case_complex_numbers():
    return knowledge("ComplExModel", 4, 8, 3)


def case_conv_of_facts():
    from torchkge.models import ConvKBModel

    return Scores(ConvKBModel(4, 2, 8, 3)), (*triples(), torch.randint(0, 8, (4,)))


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


def case_point_transformer():
    from point_transformer_pytorch import PointTransformerLayer

    model = PointTransformerLayer(dim=8, pos_mlp_hidden_dim=8, attn_mlp_hidden_mult=2, num_neighbors=4)
    return model, (torch.rand(1, 16, 8), cloud(16, 1), torch.ones(1, 16).bool())
