from dataclasses import dataclass
import torch
import torch.nn as nn


@dataclass(frozen=False)
class DecodeCache:
    key: torch.Tensor
    value: torch.Tensor
    next_index: torch.Tensor


class CachedAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.k = nn.Linear(dim, dim)
        self.v = nn.Linear(dim, dim)

    def forward(self, x: torch.Tensor, cache: DecodeCache | None = None):
        k = self.k(x)
        v = self.v(x)
        if cache is not None:
            start = cache.next_index[0]
            end = start + x.shape[1]
            cache.key[:, start:end] = k  # BRK404
            cache.value[:, start:end] = v  # BRK404
            cache.next_index += x.shape[1]
            return (cache.key * cache.value).sum(1)
        return k * v


def run():
    torch.manual_seed(0)
    fast = torch.compile(CachedAttention(4))
    cache = DecodeCache(torch.zeros(1, 8, 4), torch.zeros(1, 8, 4), torch.zeros(1, dtype=torch.int32))
    with torch.no_grad():
        return [fast(torch.ones(1, 2, 4), cache), fast(torch.ones(1, 2, 4), cache)]

# Found; its help shows masked reads, a store wants index_copy_ at positions.
