"""Cases of tft_torch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["tft_torch"]


def case_temporal_fusion():
    from omegaconf import OmegaConf
    from tft_torch.tft import TemporalFusionTransformer

    config = OmegaConf.create(
        {
            "task_type": "regression",
            "target_window_start": None,
            "model": {
                "dropout": 0.1,
                "state_size": 8,
                "output_quantiles": [0.1, 0.5, 0.9],
                "lstm_layers": 1,
                "attention_heads": 2,
            },
            "data_props": {
                "num_historical_numeric": 2,
                "num_historical_categorical": 1,
                "num_static_numeric": 1,
                "num_static_categorical": 1,
                "num_future_numeric": 1,
                "num_future_categorical": 1,
                "historical_categorical_cardinalities": [4],
                "static_categorical_cardinalities": [4],
                "future_categorical_cardinalities": [4],
            },
        }
    )
    batch = {
        "static_feats_numeric": torch.rand(2, 1),
        "static_feats_categorical": torch.randint(0, 4, (2, 1)),
        "historical_ts_numeric": torch.rand(2, 6, 2),
        "historical_ts_categorical": torch.randint(0, 4, (2, 6, 1)),
        "future_ts_numeric": torch.rand(2, 3, 1),
        "future_ts_categorical": torch.randint(0, 4, (2, 3, 1)),
    }
    return TemporalFusionTransformer(config), (batch,)
