"""Values that are too large to compute are unknown: little time and memory."""

from __future__ import annotations

import resource

import pytest

from breaklint.lint.engine import check_source
from breaklint.model import Settings

LARGE = [
    "(self.steps + 3) ** 10**9",
    "(self.steps + 3) << 10**12",
    "'a' * 10**11",
    "10**11 * [self.steps]",
    "'a'.ljust(10**11)",
    "'a'.zfill(10**11)",
    "'%9999999999d' % len(x.shape)",
    "list(range(10**11))",
    "sum(range(10**11))",
    "sorted(range(10**11))",
    "max(range(10**11))",
    "len([row for row in torch.zeros(10**11)])",
    "math.factorial(10**9)",
    "math.comb(10**9, 10**8)",
    "self.doubled(1)",
    "len(self.doubled('a'))",
    "len(self.doubled([1]))",
]
HEAD = """import math
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0
    def doubled(self, value):
        for _ in range(60):
            value = value + value if isinstance(value, (str, list)) else value * (value + 9)
        return value
    def forward(self, x):
        self.steps = {value}
        return x * self.steps
net = torch.compile(Net())
for _ in range(100):
    net(torch.ones(4, 8))
"""


@pytest.mark.parametrize("value", LARGE)
def test_what_is_too_large_is_not_worked_out(value: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert check_source(HEAD.format(value=value), "net.py", Settings()).errors == ()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB
