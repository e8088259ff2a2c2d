"""A generic wrapper object compiles the callable that it is given."""
from typing import Callable, Generic, TypeVar

import torch

T = TypeVar("T")


class Compiled(Generic[T]):
    def __init__(self, fn: Callable[..., T], **options):
        self._fn = torch.compile(fn, **options)

    def __call__(self, *args) -> T:
        return self._fn(*args)


def norm(x: torch.Tensor) -> torch.Tensor:
    return x / x.norm().item()  # break


def other(x: torch.Tensor) -> torch.Tensor:
    return x / x.norm().item()


fast_norm = Compiled(norm, dynamic=False)


def run():
    other(fast_norm(torch.rand(4)))
