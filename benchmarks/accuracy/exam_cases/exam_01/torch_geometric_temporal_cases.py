"""Cases of torch_geometric_temporal."""

from __future__ import annotations

import sys
import types

import torch

PACKAGES = ["torch_geometric_temporal"]


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
