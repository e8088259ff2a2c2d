"""What is compiled calls what is compiled."""
import torch


@torch.compile
def inner(x):
    return x * x.max().item()  # break


@torch.compile
def outer(x):
    return inner(x) + 1


def run():
    outer(torch.rand(4))
