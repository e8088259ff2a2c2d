"""Modules that suite.py calls. A comment tells the finding on its row, its state, and the tests (*: any)."""

from __future__ import annotations

import os
import random
import threading

import torch
from torch import nn

SCALE = 2
FLAGS = {"loud": False}


class Plain(nn.Module):
    def forward(self, x):
        if FLAGS["loud"]:
            print("loud")  # BRK950 confirmed test_global_mutated
        return x * SCALE


class Branch(nn.Module):
    def forward(self, x):
        if x.sum() > 0:  # BRK301 confirmed *
            return x + 1
        return x - 1


class Never(nn.Module):
    def forward(self, x):
        if os.environ.get("NEVER"):
            print("never")  # BRK101 unreached
        return x


class Patched(nn.Module):
    def forward(self, x):
        return helper(x)


def helper(x):
    print("helped")  # BRK101 unreached
    return x


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1  # BRK701 confirmed test_counter_runs_once
        return x * self.calls


class CountsAndGivesUp(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1  # BRK701 unreached
        y = x * self.calls
        for row in y:  # BRK501 null
            say(row)
        return y


def say(row):
    print("said")  # BRK101 confirmed test_counts_and_gives_up


class Locked(nn.Module):
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()

    def forward(self, x):
        with self.lock:  # BRK613 confirmed test_lock
            y = x + 1
        print("locked")  # BRK101 unreached
        return y


class Draws(nn.Module):
    def forward(self, x):
        if random.random() < 2:  # BRK608 confirmed test_random_state
            print("drew")  # BRK101 confirmed test_random_state
        return x + torch.rand(3)


class Raises(nn.Module):
    def forward(self, x):
        print("before")  # BRK101 confirmed test_raises
        raise ValueError("no")


class Exits(nn.Module):
    def forward(self, x):
        print("leaving")  # BRK101 confirmed test_exits
        raise SystemExit(3)


class Recurses(nn.Module):
    def forward(self, x):
        return self.forward(x)


class Odd(nn.Module):
    def __getattr__(self, name):
        if name == "strange":
            raise RuntimeError("strange")
        return super().__getattr__(name)

    def forward(self, x):
        print("odd")  # BRK101 confirmed *
        return x


class Hidden(nn.Module):
    """Its class lies about its module."""

    def forward(self, x):
        print("hidden")  # BRK101 confirmed test_class_that_lies_about_its_module
        return x


Hidden.__module__ = "nowhere"


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x):
        self.count += 1
        print("shared")  # BRK101 confirmed test_shared_memory
        return x * self.count


class Compiled(nn.Module):
    def forward(self, x):
        print("compiled")  # BRK101 confirmed test_compiled
        return x


class Kinds(nn.Module):
    def forward(self, x, mask=None, mode="a", **options):
        if mask is not None:
            print("mask")  # BRK101 confirmed test_in_a_class test_subprocess
        if mode == "b":
            print("b")  # BRK101 confirmed test_multiprocessing[fork] test_multiprocessing[spawn]
        return x


class Weighted(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x):
        return x * self.weight


class Ends(nn.Module):
    def forward(self, x):
        print("ends")  # BRK101 confirmed if xdist
        return x


class Takes(nn.Module):
    def forward(self, x, given):
        return x * 2
