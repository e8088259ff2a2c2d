"""torch.compile of a new function in every turn of a loop."""
import torch


def scaled(k):
    def scale(x):
        return x * k

    return scale


def run():
    x = torch.rand(4)
    for k in range(3):
        fast = torch.compile(scaled(k))
        x = fast(x)
