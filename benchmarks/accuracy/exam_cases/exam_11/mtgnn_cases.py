"""Cases of MTGNN."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["MTGNN"]


def f(*shape):
    return torch.randn(*shape)


def case_mtgnn():
    inside("MTGNN")
    model = importlib.import_module("net").gtnet(
        True, True, 2, 6, "cpu", subgraph_size=3, conv_channels=8, residual_channels=8, skip_channels=8, end_channels=8
    )
    return model, (f(2, 2, 6, 12),)


def case_mtgnn_graph():
    inside("MTGNN")
    return importlib.import_module("layer").graph_constructor(6, 3, 4, "cpu"), (torch.arange(6),)


def case_mtgnn_dynamic():
    inside("MTGNN")
    return importlib.import_module("layer").dy_mixprop(4, 4, 2, 0.1, 0.1), (f(2, 4, 5, 6),)
