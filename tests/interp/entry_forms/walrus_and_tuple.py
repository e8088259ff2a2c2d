"""Compiled values bound by a walrus and by a tuple."""
import torch


def f(x):
    return x * x.sum().item()  # break


def g(x):
    return x - x.sum().item()  # break


def h(x):
    return x + x.sum().item()


def run():
    a, b = torch.compile(f), h
    if (c := torch.compile(g)) is not None:
        b(c(a(torch.rand(4))))
