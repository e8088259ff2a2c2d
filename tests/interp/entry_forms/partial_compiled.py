"""torch.compile(partial(f, ...))."""
from functools import partial

import torch


def blend(x, y, *, weight, verbose=False):
    if verbose:
        print("blend", weight)
    z = weight * x + (1 - weight) * y
    return z / z.max().item()  # break


def run():
    fast = torch.compile(partial(blend, weight=0.5))
    fast(torch.rand(4), torch.rand(4))
