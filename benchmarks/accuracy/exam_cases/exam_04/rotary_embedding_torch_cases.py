"""Cases of rotary_embedding_torch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb
from torch import nn

PACKAGES = ["rotary_embedding_torch"]


class Rotary(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rotary = RotaryEmbedding(4)

    def forward(self, x):
        return self.rotary.rotate_queries_or_keys(x)


def case_rotary():
    return Rotary(), (torch.randn(1, 2, 5, 4),)


class RotaryCached(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rotary = RotaryEmbedding(4, use_xpos=True)

    def forward(self, x, y):
        return self.rotary.rotate_queries_and_keys(x, y)


def case_rotary_cached():
    return RotaryCached(), (torch.randn(1, 2, 5, 4), torch.randn(1, 2, 5, 4))


class RotaryAxial(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rotary = RotaryEmbedding(4, freqs_for="pixel", max_freq=10)

    def forward(self, q):
        return apply_rotary_emb(self.rotary.get_axial_freqs(3, 3), q)


def case_rotary_axial():
    return RotaryAxial(), (torch.randn(1, 3, 3, 8),)
