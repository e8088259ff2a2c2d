"""Cases of iTransformer."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["iTransformer"]


def case_inverted_transformer():
    from iTransformer import iTransformer

    model = iTransformer(
        num_variates=3,
        lookback_len=8,
        dim=8,
        depth=1,
        heads=2,
        dim_head=4,
        pred_length=(2, 4),
        use_reversible_instance_norm=True,
    )
    return model, (torch.randn(2, 8, 3),)


def case_inverted_transformer_2d():
    from iTransformer import iTransformer2D

    return iTransformer2D(
        num_variates=3, num_time_tokens=4, lookback_len=8, dim=8, depth=1, heads=2, dim_head=4, pred_length=2
    ), (torch.randn(2, 8, 3),)
