"""A generator gives what a compiled function makes."""
import torch


def noise(x):
    y = x + torch.rand_like(x)
    print("noise", y.mean())  # break
    return y


def stream(fn, x, n):
    for _ in range(n):
        x = fn(x)
        yield x.mean().item()


def run():
    list(stream(torch.compile(noise), torch.rand(4), 2))
