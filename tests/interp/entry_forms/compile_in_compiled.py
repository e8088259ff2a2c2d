"""torch.compile called in what is compiled."""
import torch


def inner(x):
    return x * 2


@torch.compile
def outer(x):
    fast = torch.compile(inner)
    y = fast(x)
    print("y", y.sum())  # break
    return y


def run():
    outer(torch.rand(4))
