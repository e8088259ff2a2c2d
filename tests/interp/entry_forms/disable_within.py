"""Parts of what is compiled are disabled, as a function, a method and a context."""
import torch


class Recorder:
    def __init__(self):
        self.seen = []

    @torch.compiler.disable
    def record(self, x):
        self.seen.append(x.item())

    @torch.compile
    def step(self, x):
        y = x.relu()
        self.record(y.sum())  # break
        return y


@torch.compiler.disable(recursive=False)
def outer(x):
    print("outer", x.sum().item())
    return inner(x)


def inner(x):
    return x * 2


@torch.compile
def both(x):
    return outer(x) + 1  # break


def run():
    Recorder().step(torch.rand(4))
    both(torch.rand(4))
