"""A compiled method of a class within a function."""
import torch


def build(scale):
    class Local:
        @torch.compile
        def score(self, x):
            return (x * scale).sum().item()  # break

        def plain(self, x):
            return (x * scale).sum().item()

    return Local()


def run():
    local = build(2.0)
    local.score(torch.rand(4))
    local.plain(torch.rand(4))
