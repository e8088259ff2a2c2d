from dataclasses import dataclass
import torch
import torch.nn as nn


@dataclass
class DecodeCache:
    key: torch.Tensor
    value: torch.Tensor
    next_index: torch.Tensor


class CachedAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.k = nn.Linear(dim, dim)
        self.v = nn.Linear(dim, dim)

    def forward(self, x, cache):
        start = cache.next_index[0]
        end = start + x.shape[1]
        cache.key[:, start:end] = self.k(x)  # BRK404
        cache.value[:, start:end] = self.v(x)  # BRK404
        cache.next_index += x.shape[1]
        return (cache.key * cache.value).sum(1)


class Model(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.attn = CachedAttention(dim)

    def load_checkpoint(self, path=None, torch_compile=True):
        if torch_compile:
            self = torch.compile(self)

    def forward(self, x, cache):
        return self.attn(x, cache)


def run():
    torch.manual_seed(0)
    m = Model()
    m.load_checkpoint()
    fast = torch.compile(m)
    cache = DecodeCache(torch.zeros(1, 8, 4), torch.zeros(1, 8, 4), torch.zeros(1, dtype=torch.int32))
    with torch.no_grad():
        return [fast(torch.ones(1, 2, 4), cache), fast(torch.ones(1, 2, 4), cache)]
