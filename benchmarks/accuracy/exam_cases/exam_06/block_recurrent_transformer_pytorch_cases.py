"""Cases of block_recurrent_transformer_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["block_recurrent_transformer_pytorch"]


def case_block_recurrent():
    from block_recurrent_transformer_pytorch import BlockRecurrentTransformer

    model = BlockRecurrentTransformer(
        num_tokens=50, dim=16, depth=2, dim_head=8, heads=2, max_seq_len=16, block_width=8, num_state_vectors=8,
        recurrent_layers=(2,), use_flash_attn=False,
    )  # fmt: skip
    return model, (torch.randint(0, 50, (1, 16)),)


def case_block_recurrent_loss():
    from block_recurrent_transformer_pytorch import BlockRecurrentTransformer

    model = BlockRecurrentTransformer(
        num_tokens=50, dim=16, depth=2, dim_head=8, heads=2, max_seq_len=16, block_width=8, num_state_vectors=8,
        recurrent_layers=(2,), use_flash_attn=False,
    )  # fmt: skip
    return model, (torch.randint(0, 50, (1, 17)),), {"return_loss": True}
