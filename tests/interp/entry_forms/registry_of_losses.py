"""A decorator registers functions, and one of them is compiled by its name."""
import torch

LOSSES = {}


def register(fn):
    LOSSES[fn.__name__] = fn
    return fn


@register
def l1(x, y):
    return (x - y).abs().mean().item()


@register
def l2(x, y):
    return ((x - y) ** 2).mean().item()  # break


def run():
    fast = torch.compile(LOSSES["l2"])
    fast(torch.rand(4), torch.rand(4))
    LOSSES["l1"](torch.rand(4), torch.rand(4))
