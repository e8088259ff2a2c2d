from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor


class Cache(ABC):
    @abstractmethod
    def update(self, layer: int, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]: ...

    @abstractmethod
    def length(self) -> int: ...


class DynamicCache(Cache):
    def __init__(self):
        self.keys: list[Tensor] = []
        self.values: list[Tensor] = []

    def update(self, layer, k, v):
        if len(self.keys) <= layer:
            self.keys.append(k)
            self.values.append(v)
        else:
            self.keys[layer] = torch.cat([self.keys[layer], k], dim=2)
            self.values[layer] = torch.cat([self.values[layer], v], dim=2)
        return self.keys[layer], self.values[layer]

    def length(self):
        return self.keys[0].shape[2] if self.keys else 0

    def reorder(self, beam: Tensor):
        self.keys = [k.index_select(0, beam) for k in self.keys]
        self.values = [v.index_select(0, beam) for v in self.values]


class StaticCache(Cache):
    def __init__(self, layers, batch, heads, size, dim):
        self.k = torch.zeros(layers, batch, heads, size, dim)
        self.v = torch.zeros_like(self.k)
        self.pos = torch.zeros((), dtype=torch.long)

    def update(self, layer, k, v):
        at = self.pos + torch.arange(k.shape[2])
        self.k[layer].index_copy_(2, at, k)
        self.v[layer].index_copy_(2, at, v)
        return self.k[layer], self.v[layer]

    def advance(self, n):
        self.pos += n

    def length(self):
        return int(self.pos)


class WindowCache(DynamicCache):
    def __init__(self, window):
        super().__init__()
        self.window = window
        self.dropped = 0

    def update(self, layer, k, v):
        k, v = super().update(layer, k, v)
        if k.shape[2] > self.window:
            self.dropped += k.shape[2] - self.window
            k = self.keys[layer] = k[:, :, -self.window :]
            v = self.values[layer] = v[:, :, -self.window :]
        return k, v
