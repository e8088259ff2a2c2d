"""A compiled function below a checkpoint, and a checkpoint within what is compiled."""
import torch
from torch.utils.checkpoint import checkpoint


def block(x):
    return x.sin().cos()


@torch.compile
def stack(x):
    for _ in range(2):
        x = checkpoint(block, x, use_reentrant=False)
    print("x", x.mean())  # break
    return x


def plain(x):
    return checkpoint(block, x, use_reentrant=False).mean().item()


def run():
    plain(stack(torch.rand(4, requires_grad=True)))
