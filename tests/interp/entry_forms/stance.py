"""torch.compiler.set_stance("force_eager") leaves all alone."""
import torch


@torch.compile
def score(x):
    return x * 2


def run():
    with torch.compiler.set_stance("force_eager"):
        score(torch.rand(4))
    score(torch.rand(4))
