"""torch.compiler.disable and allow: what is below them is left alone."""
import torch


@torch.compiler.disable
def log(x):
    print(x.sum().item())


@torch.compile
def step(x):
    y = x * 2
    log(y)  # break
    return y


def run():
    step(torch.rand(4))
