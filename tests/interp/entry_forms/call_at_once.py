"""torch.compile(fn)(x)."""
import torch


def centre(x):
    m = x.mean().item()  # break
    return x - m


def run():
    torch.compile(centre)(torch.rand(4))
