"""A module that exports what it compiled."""
import torch


def _rotate(x, by):
    k = by.argmax().item()  # break
    return x.roll(k)


def _turn(x, by):
    k = by.argmax().item()
    return x.roll(k)


rotate = torch.compile(_rotate)
turn = _turn
