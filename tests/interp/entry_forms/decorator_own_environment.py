"""Whether a decorator compiles is told by the environment, with a default."""
import os

import torch

COMPILE = os.environ.get("FORMS_NO_COMPILE", "0") == "0"


def optimised(fn):
    if COMPILE:
        return torch.compile(fn)
    return fn


@optimised
def mean_of_positive(x):
    count = (x > 0).sum().item()  # break
    return x.clamp(min=0).sum() / max(count, 1)


def run():
    mean_of_positive(torch.randn(8))
