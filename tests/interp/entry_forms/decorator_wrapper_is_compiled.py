"""What a decorator puts in place of a function is compiled, the function with it."""
import functools

import torch


def logged(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        print("call", fn.__name__)  # break
        return fn(*args)

    return wrapper


@torch.compile
@logged
def twice(x):
    y = x * 2
    return y - y.min().item()  # break


@logged
def triple(x):
    y = x * 3
    return y - y.min().item()


def run():
    triple(twice(torch.rand(4)))
