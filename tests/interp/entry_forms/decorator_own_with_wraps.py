"""A project's own decorator whose wrapper calls what it compiled."""
import functools

import torch


def compiled_once(fn):
    inner = torch.compile(fn)

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return inner(*args, **kwargs)

    return wrapper


@compiled_once
def energy(x):
    e = (x * x).sum()
    print("energy", e)  # break
    return e


def run():
    energy(torch.rand(4))
