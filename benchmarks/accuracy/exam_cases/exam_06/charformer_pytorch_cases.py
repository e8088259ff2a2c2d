"""Cases of charformer_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["charformer_pytorch"]


def case_charformer():
    from charformer_pytorch import GBST

    model = GBST(num_tokens=257, dim=16, max_block_size=4, downsample_factor=4, score_consensus_attn=True)
    return model, (torch.randint(0, 257, (1, 19)), torch.ones(1, 19).bool())


def case_charformer_of_blocks():
    from charformer_pytorch import GBST

    model = GBST(num_tokens=257, dim=16, blocks=((1, 0), (3, 0), (3, 1)), downsample_factor=3)
    return model, (torch.randint(0, 257, (1, 18)),)
