"""compiled = torch.compile(...) used as a decorator."""
import torch

compiled = torch.compile(dynamic=False)


@compiled
def pick(x):
    index = x.argmax()
    return x * index.item()  # break


@torch.no_grad()
def plain(x):
    return x.argmax().item()


def run():
    plain(pick(torch.rand(4)))
