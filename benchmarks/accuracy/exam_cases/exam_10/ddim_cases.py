"""Cases of ddim."""

from __future__ import annotations

import torch
from exam_configurations import names
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["ddim"]


def case_ddim_model():
    inside("ddim")
    from models.diffusion import Model

    model = {
        "type": "simple",
        "ch": 32,
        "out_ch": 3,
        "ch_mult": [1, 2],
        "num_res_blocks": 1,
        "attn_resolutions": [8],
        "dropout": 0.1,
        "in_channels": 3,
        "resamp_with_conv": True,
        "var_type": "fixedlarge",
    }
    config = names(model=model, data={"image_size": 16}, diffusion={"num_diffusion_timesteps": 10})
    return Model(config), (torch.randn(2, 3, 16, 16), torch.tensor([3, 7]))
