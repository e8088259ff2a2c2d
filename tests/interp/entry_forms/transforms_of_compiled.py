"""torch.func of a compiled function: grad, vmap, jacrev."""
import torch


@torch.compile
def energy(x):
    e = (x * x).sum()
    print("energy", e.shape)
    return e


def rows(x):
    return x * 2


fast_rows = torch.compile(rows)


def run():
    torch.func.grad(energy)(torch.rand(4))
    torch.vmap(fast_rows)(torch.rand(3, 4))
