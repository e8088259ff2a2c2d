"""A project's own decorator that compiles where a setting says so, which it does."""
import torch

USE_COMPILE = True


def maybe_compile(fn):
    return torch.compile(fn) if USE_COMPILE else fn


@maybe_compile
def entropy(p):
    if (p <= 0).any():  # break
        p = p.clamp(min=1e-6)
    return -(p * p.log()).sum()


def run():
    entropy(torch.rand(4))
