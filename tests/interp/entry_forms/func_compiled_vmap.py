"""torch.compile(torch.vmap(f))."""
import torch


def one(x):
    y = x * 2
    print("row", x.shape)  # break
    return y.sum()


rows = torch.compile(torch.vmap(one))


def run():
    rows(torch.rand(3, 4))
