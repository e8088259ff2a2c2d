"""Cases of invariant_point_attention."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["invariant_point_attention"]


def case_invariant_points():
    from invariant_point_attention import IPABlock

    given = {
        "pairwise_repr": torch.randn(1, 4, 4, 8),
        "rotations": torch.eye(3).expand(1, 4, 3, 3),
        "translations": torch.zeros(1, 4, 3),
    }
    return (
        IPABlock(dim=8, heads=2, scalar_key_dim=4, scalar_value_dim=4, require_pairwise_repr=True),
        (torch.randn(1, 4, 8),),
        {**given, "mask": torch.ones(1, 4).bool()},
    )
