"""A property that compiles at first use."""
import torch


class Lazy:
    def __init__(self):
        self._fast = None

    @property
    def fast(self):
        if self._fast is None:
            self._fast = torch.compile(self._score)
        return self._fast

    def _score(self, x):
        return x.sum().item()  # break

    def slow(self, x):
        return x.sum().item()


def run():
    lazy = Lazy()
    lazy.fast(torch.rand(4))
    lazy.slow(torch.rand(4))
