"""More decorators beside the compiler's."""
import torch


@torch.no_grad()
@torch.compile
def outer(x):
    return x * x.sum().item()  # break


@torch.compile
@torch.no_grad()
def inner(x):
    return x - x.sum().item()  # break


@torch.no_grad()
def neither(x):
    return x + x.sum().item()


def run():
    neither(inner(outer(torch.rand(4))))
