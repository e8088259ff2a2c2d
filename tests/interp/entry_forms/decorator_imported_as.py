"""The compiler under another name."""
from torch import compile as jit
import torch


@jit
def normalise(x):
    size = x.norm()
    print("norm", size)  # break
    return x / size


def show(x):
    print("norm", x.norm())


def run():
    show(normalise(torch.rand(4)))
