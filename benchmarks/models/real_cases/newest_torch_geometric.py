"""Layers of torch_geometric as its documentation builds them: nodes are counted from the edges, batches are vectors."""

from __future__ import annotations

import torch

PACKAGES = ["torch_geometric"]
REQUIREMENTS = [
    "torch_geometric==2.8.1", "tqdm", "psutil", "xxhash", "pyparsing", "aiohttp", "aiosignal", "frozenlist",
    "multidict", "yarl", "propcache", "aiohappyeyeballs", "attrs", "requests", "jinja2", "fsspec",
]  # fmt: skip
EDGES = torch.tensor([[0, 1, 1, 2, 2, 3, 3, 4, 4, 0], [1, 0, 2, 1, 3, 2, 4, 3, 0, 4]])
BATCH = torch.tensor([0, 0, 0, 1, 1])


def nodes() -> torch.Tensor:
    """Five nodes."""
    return torch.randn(5, 8)


def _conv(name: str, *args, **kwargs):
    from torch_geometric import nn

    return getattr(nn, name)(*args, **kwargs), (nodes(), EDGES)


def case_gcn():
    return _conv("GCNConv", 8, 8)


def case_gat():
    return _conv("GATConv", 8, 4, heads=2)


def case_gatv2():
    return _conv("GATv2Conv", 8, 4, heads=2)


def case_sage():
    return _conv("SAGEConv", 8, 8)


def case_cheb():
    return _conv("ChebConv", 8, 8, K=2)


def case_arma():
    return _conv("ARMAConv", 8, 8)


def case_appnp():
    return _conv("APPNP", K=2, alpha=0.1)


def case_cluster_gcn():
    return _conv("ClusterGCNConv", 8, 8)


def case_mf():
    return _conv("MFConv", 8, 8, max_degree=4)


def case_le():
    return _conv("LEConv", 8, 8)


def case_feast():
    return _conv("FeaStConv", 8, 8, heads=2)


def case_agnn():
    return _conv("AGNNConv")


def case_hypergraph():
    return _conv("HypergraphConv", 8, 8)


def case_pna():
    from torch_geometric.nn import PNAConv

    degrees = torch.tensor([0, 2, 3])
    return PNAConv(8, 8, ["mean", "max", "std"], ["identity", "amplification"], degrees), (nodes(), EDGES)


def case_gcn_model():
    from torch_geometric.nn import GCN

    return GCN(8, 8, num_layers=2, out_channels=4), (nodes(), EDGES)


def case_top_k_pooling():
    from torch_geometric.nn import TopKPooling

    return TopKPooling(8, ratio=0.5), (nodes(), EDGES), {"batch": BATCH}


def case_sag_pooling():
    from torch_geometric.nn import SAGPooling

    return SAGPooling(8, ratio=0.5), (nodes(), EDGES), {"batch": BATCH}


def case_graph_norm():
    from torch_geometric.nn import GraphNorm

    return GraphNorm(8), (nodes(), BATCH)


def case_instance_norm():
    from torch_geometric.nn import InstanceNorm

    return InstanceNorm(8), (nodes(), BATCH)


def case_layer_norm():
    from torch_geometric.nn import LayerNorm

    return LayerNorm(8), (nodes(), BATCH)


def case_diff_group_norm():
    from torch_geometric.nn import PairNorm

    return PairNorm(), (nodes(), BATCH)


def _aggregation(name: str, *args, **kwargs):
    from torch_geometric.nn import aggr

    return getattr(aggr, name)(*args, **kwargs), (nodes(), BATCH)


def case_mean_aggregation():
    return _aggregation("MeanAggregation")


def case_softmax_aggregation():
    return _aggregation("SoftmaxAggregation")


def case_median_aggregation():
    return _aggregation("MedianAggregation")


def case_sort_aggregation():
    return _aggregation("SortAggregation", k=2)


def case_gru_aggregation():
    return _aggregation("GRUAggregation", 8, 8)


def case_set2set():
    return _aggregation("Set2Set", 8, 2)
