"""Cases of tirex."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_d"])


from tirex.models.tirex import TiRexZero  # noqa: E402

PACKAGES = ["tirex"]


def tirex():
    """TiRex, small."""
    blocks = {"num_blocks": 1, "embedding_dim": 16, "num_heads": 2}
    config = {
        "input_patch_size": 8,
        "output_patch_size": 8,
        "quantiles": [0.1, 0.5, 0.9],
        "block_kwargs": blocks,
        "input_ff_dim": 16,
    }
    return TiRexZero("torch", config, train_ctx_len=32)


def case_tirex_forecast():
    return tirex()._forecast_quantiles, (torch.randn(2, 40),), {"prediction_length": 12}


def case_tirex_tokens():
    model = tirex()
    return model._forecast_tensor, (torch.randn(2, 20),), {"prediction_length": 8, "new_patch_count": 2}
