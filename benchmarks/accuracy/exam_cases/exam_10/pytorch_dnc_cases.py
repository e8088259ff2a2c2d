"""Cases of pytorch-dnc."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["pytorch-dnc"]


def dnc(kind, **options):
    """A memory network and a batch of sequences."""
    inside("pytorch-dnc")
    made = getattr(importlib.import_module("dnc"), kind)
    return made(6, 12, **options), (torch.randn(2, 5, 6), None)


def case_dnc():
    return dnc("DNC", nr_cells=4, cell_size=3, read_heads=2)


def case_dnc_gru_two_layers():
    return dnc(
        "DNC", rnn_type="gru", num_layers=2, nr_cells=4, cell_size=3, read_heads=2, share_memory_between_layers=False
    )


def case_dnc_independent():
    return dnc("DNC", rnn_type="rnn", nr_cells=4, cell_size=3, read_heads=1, independent_linears=True)


def case_dnc_debug():
    return dnc("DNC", nr_cells=4, cell_size=3, read_heads=1, debug=True)


def case_dnc_memory():
    inside("pytorch-dnc")
    memory = importlib.import_module("dnc.memory").Memory(6, nr_cells=4, cell_size=3, read_heads=2)
    return memory, (torch.randn(2, 6), memory.reset(2))
