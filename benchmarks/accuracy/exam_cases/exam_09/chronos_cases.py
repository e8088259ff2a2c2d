"""Cases of chronos."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_d"])


from chronos.chronos2 import Chronos2Model  # noqa: E402
from chronos.chronos2.config import Chronos2CoreConfig  # noqa: E402
from chronos.chronos_bolt import ChronosBoltModelForForecasting  # noqa: E402
from transformers import T5Config  # noqa: E402

PACKAGES = ["chronos"]


def bolt():
    """Chronos-Bolt, small."""
    config = T5Config(
        d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2, vocab_size=4, decoder_start_token_id=0, pad_token_id=0
    )
    config.chronos_config = {
        "context_length": 32,
        "prediction_length": 16,
        "input_patch_size": 8,
        "input_patch_stride": 8,
        "quantiles": [0.1, 0.5, 0.9],
        "use_reg_token": True,
    }
    return ChronosBoltModelForForecasting(config)


def case_chronos_bolt():
    return bolt(), (torch.randn(2, 30),)


def case_chronos_bolt_long_with_target():
    return bolt(), (torch.randn(2, 40), torch.rand(2, 40) > 0.1, torch.randn(2, 12))


def second(**options):
    """Chronos-2, small."""
    config = Chronos2CoreConfig(
        d_model=16,
        d_kv=8,
        d_ff=16,
        num_layers=1,
        num_heads=2,
        vocab_size=4,
        chronos_config={
            "context_length": 32,
            "output_patch_size": 8,
            "input_patch_size": 8,
            "input_patch_stride": 8,
            "quantiles": [0.1, 0.5, 0.9],
            "use_reg_token": True,
            "use_arcsinh": True,
            "max_output_patches": 4,
        },
    )
    return Chronos2Model(config)


def case_chronos_2():
    return second(), (torch.randn(3, 30),), {"num_output_patches": 2}


def case_chronos_2_groups():
    given = {"group_ids": torch.tensor([0, 0, 1]), "future_covariates": torch.randn(3, 16), "num_output_patches": 2}
    return second(), (torch.randn(3, 40),), given
