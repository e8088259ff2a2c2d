"""torch.compile(model=fn)."""
import torch


def g(x):
    return x * x.sum().item()  # break


fast = torch.compile(model=g, fullgraph=False)


def run():
    fast(torch.rand(4))
