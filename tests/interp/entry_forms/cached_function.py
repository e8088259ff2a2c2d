"""A cached function gives what is compiled."""
import functools

import torch


def score(x):
    return x * x.sum().item()  # break


@functools.lru_cache(maxsize=None)
def get_fast():
    return torch.compile(score)


def run():
    get_fast()(torch.rand(4))
