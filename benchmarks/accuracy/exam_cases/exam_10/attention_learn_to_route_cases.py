"""Cases of attention-learn-to-route."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["attention-learn-to-route"]


def routes(problem, decode="greedy", kind="attention", **options):
    """A model that learns to route."""
    inside("attention-learn-to-route")
    module = importlib.import_module(f"problems.{problem}.problem_{'vrp' if 'vrp' in problem else problem}")
    name = {"tsp": "TSP", "vrp": "CVRP", "op": "OP", "pctsp": "PCTSPDet"}[problem]
    given = torch.rand(2, 5, 2)
    if problem == "vrp":
        given = {"loc": given, "depot": torch.rand(2, 2), "demand": torch.rand(2, 5) / 3}
    if problem == "op":
        given = {
            "loc": given,
            "depot": torch.rand(2, 2),
            "prize": torch.rand(2, 5),
            "max_length": torch.tensor([2.0, 2.0]),
        }
    if problem == "pctsp":
        given = {
            "loc": given,
            "depot": torch.rand(2, 2),
            "penalty": torch.rand(2, 5),
            "deterministic_prize": torch.rand(2, 5),
            "stochastic_prize": torch.rand(2, 5),
        }
    if kind == "attention":
        from nets.attention_model import AttentionModel

        model = AttentionModel(16, 16, getattr(module, name), n_encode_layers=1, n_heads=2, **options)
    else:
        from nets.pointer_network import PointerNetwork

        model = PointerNetwork(16, 16, getattr(module, name), **options)
    model.set_decode_type(decode)
    return model, (given,)


def case_routes_tsp():
    return routes("tsp")


def case_routes_tsp_sampling():
    return routes("tsp", "sampling", normalization="instance")


def case_routes_vrp():
    return routes("vrp")


def case_routes_op():
    return routes("op")


def case_routes_pctsp():
    return routes("pctsp")


def case_routes_critic():
    inside("attention-learn-to-route")
    from nets.pointer_network import CriticNetworkLSTM

    return CriticNetworkLSTM(16, 16, 2, 10.0, True), (torch.rand(2, 5, 2).mean(2, keepdim=True).expand(2, 5, 16),)
