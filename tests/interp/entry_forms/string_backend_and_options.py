"""torch.compile with every option spelled out."""
import torch


def step(x):
    y = x.cumsum(0)
    return y / y[-1].item()  # break


fast = torch.compile(step, backend="aot_eager", fullgraph=False, dynamic=None)


def run():
    fast(torch.rand(4))
