"""Cases of x_clip."""

from __future__ import annotations

import torch

PACKAGES = ["x_clip"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_x_clip():
    from x_clip import CLIP

    model = CLIP(
        dim_text=16,
        dim_image=16,
        dim_latent=16,
        num_text_tokens=50,
        text_enc_depth=1,
        text_seq_len=16,
        text_heads=2,
        text_dim_head=8,
        visual_enc_depth=1,
        visual_image_size=16,
        visual_patch_size=8,
        visual_heads=2,
        visual_dim_head=8,
        use_all_token_embeds=True,
        decoupled_contrastive_learning=True,
        extra_latent_projection=True,
    )
    return model, (tokens(4, 16), torch.randn(4, 3, 16, 16)), {"return_loss": True, "freeze_image_encoder": False}


def case_x_clip_mlm():
    from x_clip import CLIP

    model = CLIP(
        dim_text=16,
        dim_image=16,
        dim_latent=16,
        num_text_tokens=50,
        text_enc_depth=1,
        text_seq_len=16,
        text_heads=2,
        text_dim_head=8,
        visual_enc_depth=1,
        visual_image_size=16,
        visual_patch_size=8,
        visual_heads=2,
        visual_dim_head=8,
        use_mlm=True,
    )
    return model, (tokens(4, 16), torch.randn(4, 3, 16, 16)), {"return_loss": True}
