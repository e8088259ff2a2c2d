"""Blocks of models whose inputs have many sizes, as a service calls them."""

# ruff: noqa: D102 - programs that are compiled

from __future__ import annotations

import torch.nn.functional as F
from torch import nn


class Diffusion(nn.Module):
    """A residual block and attention over the pixels, over resolutions."""

    def __init__(self, channels: int = 8, heads: int = 2):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.GroupNorm(4, channels), nn.GroupNorm(4, channels)
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)
        self.qkv = nn.Conv2d(channels, channels * 3, 1)
        self.out = nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        x = x + self.conv2(F.silu(self.norm2(self.conv1(F.silu(self.norm1(x))))))
        batch, channels, height, width = x.shape
        qkv = self.qkv(x).reshape(batch, 3, self.heads, channels // self.heads, height * width).transpose(3, 4)
        query, key, value = qkv.unbind(1)
        attended = F.scaled_dot_product_attention(query, key, value)
        return x + self.out(attended.transpose(2, 3).reshape(batch, channels, height, width))


class Decoder(nn.Module):
    """A block of a language model, over batch sizes."""

    def __init__(self, width: int = 16, heads: int = 2):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.RMSNorm(width), nn.RMSNorm(width)
        self.qkv, self.out = nn.Linear(width, width * 3), nn.Linear(width, width)
        self.gate, self.up = nn.Linear(width, width * 4), nn.Linear(width, width * 4)
        self.down = nn.Linear(width * 4, width)

    def forward(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        attended = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.silu(self.gate(self.norm2(x))) * self.up(x))


class Sampler(nn.Module):
    """A step of a sampler that counts its calls."""

    def __init__(self, channels: int = 8):
        super().__init__()
        self.step = 0
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        self.step += 1
        return x - self.conv(x) / (self.step + 1)
