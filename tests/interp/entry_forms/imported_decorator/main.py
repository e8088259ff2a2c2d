"""Uses the decorator of another module, with and without arguments."""
import torch
from fast import compiled


@compiled
def one(x):
    return x * x.sum().item()  # break


@compiled(dynamic=False)
def two(x):
    return x - x.sum().item()  # break


def three(x):
    return x - x.sum().item()


def run():
    three(two(one(torch.rand(4))))
