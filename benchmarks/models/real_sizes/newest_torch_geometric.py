"""Networks of torch_geometric on graphs of a usual size, with random weights and edges, for a GPU."""

from __future__ import annotations

import torch


def _graph(nodes: int, width: int = 128) -> tuple[torch.Tensor, torch.Tensor]:
    """Features of nodes, and ten edges for each."""
    return torch.randn(nodes, width), torch.randint(0, nodes, (2, 10 * nodes))


def _mf(nodes: int):
    from torch_geometric.nn import MFConv

    return MFConv(128, 128, max_degree=10), _graph(nodes)


def case_mf():
    return _mf(2_000)


def case_mf_large_batch():
    return _mf(200_000)


def _gcn(nodes: int):
    from torch_geometric.nn import GCN

    return GCN(128, 256, num_layers=3, out_channels=16), _graph(nodes)


def case_gcn():
    return _gcn(2_000)


def case_gcn_large_batch():
    return _gcn(100_000)


def _pooling(nodes: int):
    """Graphs of 50 nodes each, of which pooling keeps half."""
    from torch_geometric.nn import SAGPooling

    graph = torch.arange(nodes // 50).repeat_interleave(50)
    ends = torch.randint(0, 50, (2, 10 * nodes)) + graph.repeat_interleave(10) * 50
    return SAGPooling(128, ratio=0.5), (torch.randn(nodes, 128), ends), {"batch": graph}


def case_sag_pooling():
    return _pooling(2_000)


def case_sag_pooling_large_batch():
    return _pooling(100_000)
