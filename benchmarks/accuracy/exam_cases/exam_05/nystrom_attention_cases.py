"""Cases of nystrom_attention."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["nystrom_attention"]


def case_nystrom():
    from nystrom_attention import Nystromformer

    return (
        Nystromformer(dim=8, depth=1, dim_head=4, heads=2, num_landmarks=4),
        (torch.rand(1, 10, 8), torch.ones(1, 10).bool()),
    )
