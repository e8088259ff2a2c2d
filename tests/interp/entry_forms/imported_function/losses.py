"""Functions that another module compiles."""
import torch


def focal(x, y):
    p = (x * y).sigmoid()
    if p.min() < 0.01:  # break
        p = p.clamp(min=0.01)
    return -p.log().mean()


def dice(x, y):
    p = (x * y).sigmoid()
    if p.min() < 0.01:
        p = p.clamp(min=0.01)
    return p.mean()
