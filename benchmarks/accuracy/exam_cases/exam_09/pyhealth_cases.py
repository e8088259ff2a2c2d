"""Cases of pyhealth."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_d"])


PACKAGES = ["pyhealth"]


def visits(name: str, *options, given=None, **more):
    """A layer of pyhealth and the visits of three patients."""
    kind = getattr(importlib.import_module(f"pyhealth.models.{name.removesuffix('Layer').lower()}"), name)
    return kind(*options, **more), given if given is not None else (torch.randn(3, 12, 8),)


KNOWN = torch.tensor([[1] * 12, [1] * 9 + [0] * 3, [1] * 4 + [0] * 8])


def case_pyhealth_adacare():
    return visits("AdaCareLayer", 8, hidden_dim=8, kernel_num=4)


def case_pyhealth_adacare_masked():
    return visits(
        "AdaCareLayer",
        8,
        hidden_dim=8,
        kernel_num=4,
        activation="sparsemax",
        rnn_type="lstm",
        given=(torch.randn(3, 12, 8), KNOWN),
    )


def case_pyhealth_agent():
    return visits("AgentLayer", 8, n_units=8, n_hidden=8)


def case_pyhealth_agent_lstm():
    return visits(
        "AgentLayer",
        8,
        static_dim=4,
        cell="lstm",
        n_units=8,
        n_hidden=8,
        given=(torch.randn(3, 12, 8), torch.randn(3, 4), KNOWN),
    )


def case_pyhealth_concare():
    return visits("ConCareLayer", 8, hidden_dim=8, pe_hidden=8)


def case_pyhealth_concare_masked():
    return visits(
        "ConCareLayer",
        8,
        static_dim=4,
        hidden_dim=8,
        pe_hidden=8,
        given=(torch.randn(3, 12, 8), torch.randn(3, 4), KNOWN),
    )


def case_pyhealth_stagenet():
    return visits("StageNetLayer", 8, chunk_size=8, levels=2)


def case_pyhealth_stagenet_with_times():
    return visits(
        "StageNetLayer", 8, chunk_size=8, levels=2, given=(torch.randn(3, 12, 8), torch.rand(3, 12, 1), KNOWN)
    )


def case_pyhealth_deepr():
    return visits("DeeprLayer", 8, given=(torch.randn(3, 12, 8), KNOWN))


def case_pyhealth_retain():
    return visits("RETAINLayer", 8)


def case_pyhealth_retain_masked():
    return visits("RETAINLayer", 8, given=(torch.randn(3, 12, 8), KNOWN))


def case_pyhealth_rnn():
    return visits("RNNLayer", 8, 8, rnn_type="LSTM", bidirectional=True, given=(torch.randn(3, 12, 8), KNOWN))


def case_pyhealth_rnn_unmasked():
    return visits("RNNLayer", 8, 8)


def case_pyhealth_cnn():
    return visits("CNNLayer", 8, 8)


def case_pyhealth_tcn():
    return visits("TCNLayer", 8, 8, given=(torch.randn(3, 12, 8), KNOWN))


def case_pyhealth_transformer():
    return visits("TransformerLayer", 8, heads=2, given=(torch.randn(3, 12, 8), KNOWN))


def case_pyhealth_micron():
    return visits("MICRONLayer", 8, 8, 6, given=(torch.randn(3, 12, 8), torch.randint(0, 2, (3, 6)).float(), KNOWN))


def case_pyhealth_grasp():
    return visits("GRASPLayer", 8, hidden_dim=8, cluster_num=2, block="GRU")


def case_pyhealth_gamenet():
    queries, before = torch.randn(3, 5, 8), torch.randint(0, 2, (3, 5, 6)).float()
    return visits(
        "GAMENetLayer",
        8,
        torch.rand(6, 6),
        torch.rand(6, 6),
        given=(queries, before, torch.randint(0, 2, (3, 6)).float()),
    )


def case_pyhealth_safedrug():
    molecules = [(torch.randint(0, 10, (4,)), torch.rand(4, 4), 4), (torch.randint(0, 10, (3,)), torch.rand(3, 3), 3)]
    given = (torch.randn(3, 5, 8), torch.randint(0, 2, (3, 6)).float())
    return visits(
        "SafeDrugLayer",
        8,
        torch.randint(0, 2, (6, 7)).float(),
        torch.rand(6, 6),
        10,
        molecules,
        torch.rand(6, 2),
        given=given,
    )
