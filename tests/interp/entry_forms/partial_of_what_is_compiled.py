"""partial(torch.compile(f), ...), and a setting that decides a branch."""
from functools import partial

import torch


def blend(x, y, *, weight, verbose=False):
    z = weight * x + (1 - weight) * y
    if verbose:
        print("blend", weight)  # break
    return z


fast = partial(torch.compile(blend), weight=0.5, verbose=True)


def run():
    fast(torch.rand(4), torch.rand(4))
