"""Compiled functions in a dict."""
import torch


def l1(x, y):
    return (x - y).abs().mean().item()  # break


def l2(x, y):
    return ((x - y) ** 2).mean().item()  # break


def plain(x, y):
    return (x - y).max().item()


LOSSES = {"l1": torch.compile(l1), "l2": torch.compile(l2), "max": plain}


def run():
    for name in ("l1", "l2", "max"):
        LOSSES[name](torch.rand(4), torch.rand(4))
