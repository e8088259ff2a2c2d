"""A project's own decorator."""
import torch

ENABLED = True


def compiled(fn=None, **options):
    if fn is None:
        return lambda f: compiled(f, **options)
    return torch.compile(fn, **options) if ENABLED else fn
