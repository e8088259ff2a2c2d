"""Cases of hgraph2graph."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["hgraph2graph"]


def hgraph_vectors():
    """Nodes, messages and who is next to whom."""
    neighbours = torch.tensor([[0, 0], [1, 2], [2, 0], [3, 1]])
    return torch.randn(4, 6), torch.randn(4, 5), neighbours, neighbours


def case_hgraph_encoder():
    inside("hgraph2graph")
    from hgraph.encoder import MPNEncoder

    return MPNEncoder("GRU", 5, 6, 8, 2, 0.1), hgraph_vectors()


def case_hgraph_encoder_lstm():
    inside("hgraph2graph")
    from hgraph.encoder import MPNEncoder

    return MPNEncoder("LSTM", 5, 6, 8, 2, 0.1), hgraph_vectors()
