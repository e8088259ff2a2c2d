"""torch._dynamo.optimize as a decorator and called."""
import torch
import torch._dynamo as dynamo


@dynamo.optimize("eager")
def first(x):
    return x * x.sum().item()  # break


def second(x):
    return x - x.sum().item()  # break


def third(x):
    return x - x.sum().item()


fast = torch._dynamo.optimize("eager")(second)


def run():
    third(fast(first(torch.rand(4))))
