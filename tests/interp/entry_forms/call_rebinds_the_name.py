"""fn = torch.compile(fn)."""
import torch


def rank(x):
    order = x.argsort().tolist()  # break
    return x[order]


rank = torch.compile(rank)


def run():
    rank(torch.rand(4))
