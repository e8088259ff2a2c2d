"""fn = g, and fn is compiled."""
import torch


def g(x):
    return x * x.sum().item()  # break


def h(x):
    return x * x.sum().item()


fn = g
other = h
fast = torch.compile(fn)


def run():
    other(fast(torch.rand(4)))
