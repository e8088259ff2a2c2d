"""torch._dynamo.explain(fn)(x)."""
import torch


def pairwise(x):
    d = torch.cdist(x, x)
    if d.max() > 1:  # break
        d = d / d.max()
    return d


def plain(x):
    if x.max() > 1:
        x = x / 2
    return x


def run():
    torch._dynamo.explain(pairwise)(plain(torch.rand(3, 2)))
