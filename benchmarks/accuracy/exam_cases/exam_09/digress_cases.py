"""Cases of DiGress."""

from __future__ import annotations

from types import SimpleNamespace

import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["DiGress"]


absent(*ABSENT["exam_09_a"])


def case_digress():
    inside("DiGress")
    from src.models.transformer_model import GraphTransformer

    sizes = {"X": 4, "E": 3, "y": 2}
    hidden = {"dx": 16, "de": 8, "dy": 8, "n_head": 2, "dim_ffX": 16, "dim_ffE": 8, "dim_ffy": 8}
    model = GraphTransformer(2, sizes, {"X": 16, "E": 8, "y": 8}, hidden, sizes, torch.nn.ReLU(), torch.nn.ReLU())
    mask = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
    edges = torch.randn(2, 6, 6, 3)
    return model, (torch.randn(2, 6, 4), edges + edges.transpose(1, 2), torch.randn(2, 2), mask)


def case_digress_extra_features():
    inside("DiGress")
    from src.diffusion.extra_features import ExtraFeatures

    edges = torch.nn.functional.one_hot(torch.triu(torch.randint(0, 3, (2, 6, 6)), 1), 3).float()
    edges = edges + edges.transpose(1, 2)
    noisy = {
        "X_t": torch.randn(2, 6, 4),
        "E_t": edges,
        "y_t": torch.rand(2, 1),
        "node_mask": torch.tensor([[True] * 6, [True] * 4 + [False] * 2]),
    }
    return ExtraFeatures("all", SimpleNamespace(max_n_nodes=8)), (noisy,)


def case_digress_schedule():
    inside("DiGress")
    from src.diffusion.noise_schedule import PredefinedNoiseScheduleDiscrete

    return PredefinedNoiseScheduleDiscrete("cosine", 20), (), {"t_normalized": torch.rand(2, 1)}


def case_digress_sampling():
    inside("DiGress")
    from src.diffusion.diffusion_utils import sample_discrete_features

    x, e = torch.rand(2, 6, 4).softmax(-1), torch.rand(2, 6, 6, 3).softmax(-1)
    return sample_discrete_features, (x, e, torch.tensor([[True] * 6, [True] * 4 + [False] * 2]))
