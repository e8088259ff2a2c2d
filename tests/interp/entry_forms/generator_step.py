"""A compiled generator is not traced as one; a function that draws from it is."""
import torch


def chunks(x, n):
    for part in x.chunk(n):
        yield part * 2


@torch.compile
def total(x):
    s = 0
    for part in chunks(x, 2):
        s = s + part.sum()
    return s.item()  # break


def run():
    total(torch.rand(4))
