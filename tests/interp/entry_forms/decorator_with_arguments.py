"""A function below @torch.compile(...)."""
import torch


@torch.compile(dynamic=False, mode="default")
def clip(x, limit=0.5):
    if x.max() > limit:  # break
        x = x.clamp(max=limit)
    return x * 2


def check_range(x):
    if x.max() > 1:
        raise ValueError("out of range")
    return x


def run():
    clip(check_range(torch.rand(4)))
