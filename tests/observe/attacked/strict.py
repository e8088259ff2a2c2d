"""Modules that suite_strict.py calls, with comments as in net.py."""

from __future__ import annotations

import torch
from torch import nn


class Patched(nn.Module):
    def forward(self, x):
        print("own")  # BRK101 confirmed test_own_after_a_forward_of_an_instance
        return x


class Other(nn.Module):
    def forward(self, x):
        print("other")  # BRK101 unreached
        return x


class Replaced(nn.Module):
    def forward(self, x):
        return self.helper(x)

    def helper(self, x):
        print("helper")  # BRK101 confirmed test_own_after_a_method_of_the_class
        return x


class Optimized(nn.Module):
    def forward(self, x):
        print("optimized")  # BRK101 confirmed test_functions_of_dynamo_are_patched
        return x


class Lazy(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.LazyLinear(2)

    def forward(self, x):
        print("lazy")  # BRK101 confirmed test_lazy
        return self.linear(x)


class Flat(nn.Module):
    def forward(self, x):
        print("flat")  # BRK101 confirmed test_few_calls_are_allowed
        return x


class Unequal(nn.Module):
    def __eq__(self, other):
        raise KeyError

    def forward(self, x):
        print("unequal")  # BRK101 confirmed test_modules_cannot_be_compared
        return x


class Counts(nn.Module):
    """Its class has methods in place of torch's."""

    asked: list[str] = []

    def named_modules(self, *args, **kwargs):
        self.asked.append("named_modules")
        return super().named_modules(*args, **kwargs)

    def modules(self):
        self.asked.append("modules")
        return super().modules()

    @property
    def training(self):
        self.asked.append("training")
        return True

    @training.setter
    def training(self, value):
        pass

    def forward(self, x):
        print("counts")  # BRK101 confirmed test_methods_of_a_class_are_not_called
        return x


class Moded(nn.Module):
    def forward(self, x):
        print("moded")  # BRK101 confirmed test_own_after_a_mode
        return x


class Signalled(nn.Module):
    def forward(self, x):
        print("signalled")  # BRK101 confirmed *
        return x


class Doubles(torch.Tensor):
    asked: list[str] = []

    def dim(self):
        self.asked.append("dim")
        return super().dim()
