"""A project's own decorator with arguments and defaults."""
import torch


def accelerated(enabled=True, **options):
    def wrap(fn):
        if not enabled:
            return fn
        return torch.compile(fn, **options)

    return wrap


@accelerated()
def fast(x):
    return x * x.max().item()  # break


@accelerated(enabled=False)
def slow(x):
    return x * x.max().item()


def run():
    slow(fast(torch.rand(4)))
