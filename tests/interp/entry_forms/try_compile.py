"""try: fn = torch.compile(fn), with a version test."""
import torch


def score(x):
    return x * x.sum().item()  # break


def tuned(x):
    return x - x.sum().item()  # break


try:
    score = torch.compile(score)
except RuntimeError:
    pass

if hasattr(torch, "compile"):
    tuned = torch.compile(tuned)


def run():
    tuned(score(torch.rand(4)))
