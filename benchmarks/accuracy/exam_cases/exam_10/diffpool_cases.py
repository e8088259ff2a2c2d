"""Cases of diffpool."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["diffpool"]


def case_diffpool_gcn():
    inside("diffpool")
    from encoders import GcnEncoderGraph

    return GcnEncoderGraph(4, 8, 8, 3, 3), (torch.randn(2, 6, 4), torch.rand(2, 6, 6)), {"batch_num_nodes": [6, 4]}


def case_diffpool_soft():
    inside("diffpool")
    from encoders import SoftPoolingGcnEncoder

    model = SoftPoolingGcnEncoder(6, 4, 8, 8, 3, 3, 8, assign_ratio=0.5)
    return model, (torch.randn(2, 6, 4), torch.rand(2, 6, 6), [6, 4]), {"assign_x": torch.randn(2, 6, 4)}


def case_diffpool_set2set():
    inside("diffpool")
    from set2set import Set2Set

    return Set2Set(4, 8), (torch.randn(2, 6, 4),)
