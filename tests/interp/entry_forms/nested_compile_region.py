"""torch.compiler.nested_compile_region within what is compiled."""
import torch


@torch.compiler.nested_compile_region
def block(x):
    return x.sin() + x.cos()


@torch.compile
def stack(x):
    for _ in range(3):
        x = block(x)
    print("out", x.mean())  # break
    return x


def plain(x):
    print("out", x.mean())


def run():
    plain(stack(torch.rand(4)))
