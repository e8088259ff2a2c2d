"""Cases of mar."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["mar"]


def case_mar():
    inside("mar")
    from models.mar import MAR

    model = MAR(
        img_size=64,
        encoder_embed_dim=32,
        encoder_depth=1,
        encoder_num_heads=2,
        decoder_embed_dim=32,
        decoder_depth=1,
        decoder_num_heads=2,
        class_num=5,
        diffloss_d=1,
        diffloss_w=32,
        diffusion_batch_mul=1,
    )
    return model, (torch.randn(2, 16, 4, 4), torch.tensor([1, 3]))


def case_mar_autoencoder():
    inside("mar")
    from models.vae import AutoencoderKL

    AutoencoderKL.training_step = AutoencoderKL.configure_optimizers = None
    return AutoencoderKL(4, (1, 1, 2)), (torch.rand(1, 3, 32, 32),)
