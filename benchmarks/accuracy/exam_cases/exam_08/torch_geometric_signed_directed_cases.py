"""Cases of torch_geometric_signed_directed."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_a"])


PACKAGES = ["torch_geometric_signed_directed"]


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


def edges(nodes: int = 6, count: int = 14):
    return torch.randint(0, nodes, (2, count))


SIGNED = "torch_geometric_signed_directed.nn."


def case_signed_dgcn():
    path = SIGNED + "directed.DGCN_node_classification"
    inputs = (torch.randn(6, 4), edges(), edges(), edges())
    return of(path, *inputs, num_features=4, hidden=8, label_dim=3)


def case_signed_digrac():
    options = {"num_features": 4, "hidden": 8, "nclass": 3, "fill_value": 0.5, "dropout": 0.1, "hop": 2}
    return of(SIGNED + "directed.DIGRAC_node_clustering", edges(), torch.rand(14), torch.randn(6, 4), **options)


def case_signed_digcl():
    options = {"in_channels": 4, "activation": "relu", "num_hidden": 8, "num_proj_hidden": 4, "tau": 0.5}
    return of(SIGNED + "directed.DiGCL", torch.randn(6, 4), edges(), torch.rand(14), **options, num_layers=2)


def case_signed_digcn():
    path = SIGNED + "directed.DiGCN_node_classification"
    return of(path, torch.randn(6, 4), edges(), torch.rand(14), num_features=4, hidden=8, label_dim=3)


def case_signed_digcn_inception():
    path = SIGNED + "directed.DiGCN_Inception_Block_node_classification"
    inputs = (torch.randn(6, 4), (edges(), edges()), (torch.rand(14), torch.rand(14)))
    return of(path, *inputs, num_features=4, hidden=8, label_dim=3)


def case_signed_magnet():
    path = SIGNED + "directed.MagNet_node_classification"
    inputs = (torch.randn(6, 4), torch.randn(6, 4), edges(), torch.rand(14))
    return of(path, *inputs, num_features=4, hidden=8, label_dim=3, dropout=0.5)


def case_signed_magnet_links():
    path = SIGNED + "directed.MagNet_link_prediction"
    inputs = (torch.randn(6, 4), torch.randn(6, 4), edges(), edges(6, 5).t())
    return of(path, *inputs, num_features=4, hidden=8, trainable_q=True)


def case_signed_msgnn():
    path = SIGNED + "general.MSGNN_node_classification"
    inputs = (torch.randn(6, 4), torch.randn(6, 4), edges(), torch.rand(14))
    return of(path, *inputs, num_features=4, hidden=8, label_dim=3, dropout=0.5)


def signs():
    return torch.cat([edges().t(), torch.tensor([[1], [-1]]).repeat(7, 1)], dim=1)


def case_signed_sgcn():
    return of(SIGNED + "signed.SGCN", node_num=6, edge_index_s=signs(), in_dim=4, out_dim=4, layer_num=2)


def case_signed_snea():
    return of(SIGNED + "signed.SNEA", node_num=6, edge_index_s=signs(), in_dim=4, out_dim=4, layer_num=2)


def case_signed_sdgnn():
    return of(SIGNED + "signed.SDGNN", node_num=6, edge_index_s=signs(), in_dim=4, out_dim=4)


def case_signed_clustering():
    options = {"nfeat": 4, "hidden": 8, "nclass": 3, "dropout": 0.1, "hop": 2, "fill_value": 0.5}
    inputs = (edges(), torch.rand(14), edges(), torch.rand(14), torch.randn(6, 4))
    return of(SIGNED + "signed.SSSNET_node_clustering", *inputs, **options)


def case_signed_links():
    options = {"nfeat": 4, "hidden": 8, "nclass": 3, "dropout": 0.1, "hop": 2, "fill_value": 0.5, "directed": True}
    inputs = (edges(), torch.rand(14), edges(), torch.rand(14), torch.randn(6, 4), edges(6, 5).t())
    return of(SIGNED + "signed.SSSNET_link_prediction", *inputs, **options)
