"""Counters beside recurrent modules: whether a frame that calls one is compiled depends on the version of torch.

Counted over 14 calls: on 2.13 `direct` is never compiled and `inside` three times, `behind` compiles without end; on
2.15 all three do.
"""

from __future__ import annotations

import pytest

from breaklint.lint.engine import check_source
from breaklint.model import Settings

NET = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.LSTM(4, 4)
        self.steps = 0

    def encode(self, x):
        y, _ = self.rnn(x * 3)
        return y

    def decode(self, x):
        self.steps += 1
        y, _ = self.rnn(x * 3)
        return y * 2

    def forward(self, x):
"""
DIRECT = "        self.steps += 1\n        y, _ = self.rnn(x)\n        return y * 2 + x\n"
BEHIND = "        y = self.encode(x)\n        self.steps += 1\n        return y * 2 + x\n"
INSIDE = "        y = self.decode(x * 2)\n        return y * 2 + x\n"


@pytest.mark.parametrize(
    ("body", "version", "is_found"),
    [
        (DIRECT, "2.13", False),
        (BEHIND, "2.13", True),
        (DIRECT, "2.15", True),
        (BEHIND, "2.15", True),
        (INSIDE, "2.15", True),
    ],
    ids=["direct-2.13", "behind-2.13", "direct-2.15", "behind-2.15", "inside-2.15"],
)
def test_a_counter_beside_a_recurrent_module(body: str, version: str, is_found: bool) -> None:
    result = check_source(NET + body, "net.py", Settings(target_torch=version)).findings
    assert any(item.code == "BRK701" for item in result) is is_found
