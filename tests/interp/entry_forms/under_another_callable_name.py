"""tc = torch.compile; getattr(torch, "compile")."""
import torch

tc = torch.compile


def first(x):
    return x * x.max().item()  # break


def second(x):
    return x - x.max().item()  # break


def third(x):
    return x + x.max().item()


fast = tc(first)
quick = getattr(torch, "compile")(second)


def run():
    third(quick(fast(torch.rand(4))))
