"""A default that no caller overrides decides a branch of what is compiled."""
import torch


@torch.compile
def quiet(x, verbose=False):
    if verbose:
        print("x", x.mean())
    return x * 2


@torch.compile
def loud(x, verbose=False):
    if verbose:
        print("x", x.mean())  # break
    return x * 2


def run():
    quiet(torch.rand(4))
    loud(torch.rand(4), verbose=True)
