"""Cases of nystrom_attention."""

from __future__ import annotations

import torch

PACKAGES = ["nystrom_attention"]


def case_nystromformer():
    from nystrom_attention import Nystromformer

    return (
        Nystromformer(dim=16, dim_head=8, heads=2, depth=1, num_landmarks=4, pinv_iterations=2),
        (torch.randn(1, 18, 16),),
        {"mask": torch.ones(1, 18).bool()},
    )
