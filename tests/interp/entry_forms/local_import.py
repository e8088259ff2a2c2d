"""torch.compile is imported where it is used."""
import torch


def score(x):
    return x / x.sum().item()  # break


def other(x):
    return x / x.sum().item()


def prepare(fn):
    from torch import compile as speed_up

    return speed_up(fn)


def run():
    other(prepare(score)(torch.rand(4)))
