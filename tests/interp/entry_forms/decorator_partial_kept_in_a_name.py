"""fast = partial(torch.compile, ...) used as a decorator and called."""
from functools import partial

import torch

fast = partial(torch.compile, mode="default")


@fast
def one(x):
    return x / x.sum().item()  # break


def two(x):
    return x * x.sum().item()  # break


def three(x):
    return x - x.sum().item()


quick = fast(two)


def run():
    three(quick(one(torch.rand(4))))
