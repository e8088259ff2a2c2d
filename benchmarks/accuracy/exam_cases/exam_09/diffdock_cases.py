"""Cases of DiffDock."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["DiffDock"]


absent(*ABSENT["exam_09_a"])


def case_diffdock_smearing():
    inside("DiffDock")
    from models.layers import AtomEncoder, GaussianSmearing

    class Encoded(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.atoms, self.distances = AtomEncoder(8, ([5, 4], 0), 4), GaussianSmearing(0.0, 5.0, 6)

        def forward(self, x, distances):
            return self.atoms(x), self.distances(distances)

    return Encoded(), (torch.cat([torch.randint(0, 4, (7, 2)).float(), torch.randn(7, 4)], 1), torch.rand(7))


def case_diffdock_product():
    inside("DiffDock")
    from models.tensor_layers import FasterTensorProduct

    model = FasterTensorProduct("4x0e + 2x1o + 2x1e + 4x0o", "1x0e + 1x1o", "4x0e + 2x1o + 2x1e + 4x0o")
    count = getattr(model, "weight_numel", 0)
    return model, (torch.randn(5, 20), torch.randn(5, 4), torch.randn(5, count))
