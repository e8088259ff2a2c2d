"""torch.compile of the same function in every turn of a loop."""
import torch


def scale(x):
    return x * 2


def run():
    x = torch.rand(4)
    for _ in range(3):
        x = torch.compile(scale)(x)
