"""Callers pass numbers: loops and branches over them are traced."""
import torch


@torch.compile
def power(x, n, scale):
    for _ in range(n):
        x = x * scale
    if n > 2:
        x = x + int(scale)
    return x


@torch.compile
def until(x, n):
    if n > 2:  # break
        x = x * 2
    return x


def run():
    power(torch.rand(4), 3, 2.0)
    until(torch.rand(4), torch.tensor(3))
