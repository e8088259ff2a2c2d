"""Compiled functions in a list."""
import torch


def flip(x):
    if x[0] > 0:  # break
        return x.flip(0)
    return x + 1


def jitter(x):
    print("jitter", x.std())  # break
    return x + 0.1 * torch.rand_like(x)


augment = [torch.compile(fn) for fn in (flip, jitter)]


def run():
    x = torch.rand(4)
    for fn in augment:
        x = fn(x)
