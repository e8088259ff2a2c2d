"""Cases of momentfm."""

from __future__ import annotations

from argparse import Namespace

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_d"])


from momentfm.models.moment import MOMENT  # noqa: E402

PACKAGES = ["momentfm"]


def moment(task: str, **options):
    """MOMENT, small, for a task."""
    given = {
        "task_name": task,
        "seq_len": 64,
        "patch_len": 8,
        "patch_stride_len": 8,
        "d_model": 16,
        "n_channels": 2,
        "transformer_backbone": "google/flan-t5-small",
        "transformer_type": "encoder_only",
        "randomly_initialize_backbone": True,
        "t5_config": {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2, "vocab_size": 8},
        "num_class": 3,
        "forecast_horizon": 12,
        "device": "cpu",
        "enable_gradient_checkpointing": False,
        "mask_ratio": 0.3,
        **options,
    }
    return MOMENT(Namespace(**given))


def case_moment_reconstruction():
    return moment("reconstruction"), (), {"x_enc": torch.randn(2, 2, 64)}


def case_moment_embedding():
    return moment("embedding"), (), {"x_enc": torch.randn(2, 2, 64)}


def case_moment_forecast():
    return moment("forecasting"), (), {"x_enc": torch.randn(2, 2, 64)}


def case_moment_classification():
    return moment("classification", reduction="concat"), (), {"x_enc": torch.randn(2, 2, 64)}
