"""Cases of VAR."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["VAR"]


def one_process():
    """A group of one process, which training scripts start."""
    if not torch.distributed.is_initialized():
        torch.distributed.init_process_group("gloo", store=torch.distributed.HashStore(), rank=0, world_size=1)


def case_var_vqvae():
    inside("VAR")
    from models.vqvae import VQVAE

    one_process()
    model = VQVAE(vocab_size=16, z_channels=8, ch=32, v_patch_nums=(1, 2, 4), test_mode=False)
    return model, (torch.rand(2, 3, 64, 64),)


def case_var_vqvae_usages():
    model, given = case_var_vqvae()
    return model, given, {"ret_usages": True}


def case_var():
    inside("VAR")
    from models.var import VAR
    from models.vqvae import VQVAE

    vae = VQVAE(vocab_size=16, z_channels=8, ch=32, v_patch_nums=(1, 2, 4))
    model = VAR(
        vae, num_classes=5, depth=1, embed_dim=32, num_heads=2, patch_nums=(1, 2, 4), flash_if_available=False,
        fused_if_available=False,
    )  # fmt: skip
    return model, (torch.tensor([1, 3]), torch.randn(2, 20, 8))
