"""Cases of snac."""

from __future__ import annotations

import torch

PACKAGES = ["snac"]


def case_snac():
    from snac import SNAC

    model = SNAC(
        encoder_dim=4,
        encoder_rates=[2, 2],
        latent_dim=16,
        decoder_dim=16,
        decoder_rates=[2, 2],
        attn_window_size=None,
        codebook_size=8,
        codebook_dim=4,
        vq_strides=[2, 1],
    )
    return model, (torch.randn(1, 1, 50),)
