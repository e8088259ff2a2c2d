"""Cases of mace."""

from __future__ import annotations

import numpy as np
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_d"])


import mace.modules as mace  # noqa: E402
from e3nn import o3  # noqa: E402

PACKAGES = ["mace"]


def molecule():
    """A graph of five atoms of two elements, as mace's loader makes it."""
    edges = torch.tensor([[i, j] for i in range(5) for j in range(5) if i != j]).t()
    return {
        "positions": torch.randn(5, 3),
        "node_attrs": torch.eye(2)[torch.tensor([0, 1, 0, 1, 1])],
        "edge_index": edges,
        "shifts": torch.zeros(20, 3),
        "unit_shifts": torch.zeros(20, 3),
        "cell": torch.zeros(3, 3),
        "batch": torch.zeros(5).long(),
        "ptr": torch.tensor([0, 5]),
        "head": torch.zeros(1).long(),
        "pbc": torch.zeros(1, 3).bool(),
    }


def potential(kind, **options):
    """A potential of mace, small."""
    given = {
        "r_max": 5.0,
        "num_bessel": 4,
        "num_polynomial_cutoff": 5,
        "max_ell": 1,
        "interaction_cls": mace.interaction_classes["RealAgnosticResidualInteractionBlock"],
        "interaction_cls_first": mace.interaction_classes["RealAgnosticResidualInteractionBlock"],
        "num_interactions": 2,
        "num_elements": 2,
        "hidden_irreps": o3.Irreps("4x0e + 4x1o"),
        "MLP_irreps": o3.Irreps("4x0e"),
        "atomic_energies": np.array([1.0, 2.0]),
        "avg_num_neighbors": 4,
        "atomic_numbers": [1, 6],
        "correlation": 2,
        "gate": torch.nn.functional.silu,
        **options,
    }
    return kind(**given).float()


def case_mace():
    return potential(mace.MACE), (molecule(),), {"compute_force": False}
