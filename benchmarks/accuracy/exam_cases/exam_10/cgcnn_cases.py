"""Cases of cgcnn."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["cgcnn"]


def case_cgcnn():
    inside("cgcnn")
    from cgcnn.model import CrystalGraphConvNet

    atoms, near = torch.randn(7, 5), torch.randint(0, 7, (7, 4))
    return CrystalGraphConvNet(5, 6, 8, 2, 8, classification=True), (
        atoms,
        torch.randn(7, 4, 6),
        near,
        [torch.arange(3), torch.arange(3, 7)],
    )
