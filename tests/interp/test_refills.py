"""Branches that fill a cache: what breaks in them breaks on one call, not on every one."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from breaklint.lint.engine import check_source
from breaklint.model import Effect, Settings

HEAD = """
import torch
from torch import nn
from torch.autograd import Variable

def window(size):
    return Variable(torch.ones(size))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.size, self.window, self.cache, self.calls = 1, window(1), {}, 0
        self.state = None

"""
ONCE = {
    "the else of a test whether what is kept still fits": """
    def forward(self, x):
        size = x.size(-1)
        if size == self.size and self.window.dtype == x.dtype:
            kept = self.window
        else:
            kept = window(size)
            self.window = kept
            self.size = size
        return x * kept
    """,
    "a method that fills it": """
    def fill(self, size):
        self.window = window(size)
        self.size = size

    def forward(self, x):
        if self.size != x.size(-1):
            self.fill(x.size(-1))
        return x * self.window
    """,
    "a dict by size": """
    def forward(self, x):
        size = x.size(-1)
        if size not in self.cache:
            self.cache[size] = window(size)
        return x * self.cache[size]
    """,
    "an attribute that is not there yet": """
    def forward(self, x):
        if not hasattr(self, "kept"):
            self.kept = window(x.size(-1))
        return x * self.kept
    """,
}
ALWAYS = {
    "another reason to come by": """
    def forward(self, x, fresh=None):
        if fresh is None or self.size == 0:
            self.size = x.size(-1)
            x = x * window(self.size)
        return x
    """,
    "another reason inside a condition": """
    def forward(self, x, fresh=None):
        if x.dim() == 2 and (fresh is None or self.size == 0):
            self.size = x.size(-1)
            x = x * window(self.size)
        return x
    """,
    "stored only under a flag": """
    def forward(self, x, keep=False):
        if self.size != x.size(-1):
            x = x * window(x.size(-1))
            if keep:
                self.size = x.size(-1)
        return x
    """,
    "a number of this call is the best so far": """
    def forward(self, x):
        loss = x.sum()
        if loss.item() < self.size:
            self.size = loss.item()
            x = x * window(x.size(-1))
        return x
    """,
    "a tensor of this call is the best so far": """
    def forward(self, x):
        if self.size > x.sum():
            self.size = x.sum()
            x = x * window(x.size(-1))
        return x
    """,
    "a counter": """
    def forward(self, x):
        if self.calls < 100:
            self.calls = self.calls + 1
            x = x * window(x.size(-1))
        return x
    """,
    "the other side, which later calls take": """
    def forward(self, x):
        if self.state is None:
            self.state = x
        else:
            self.state = window(x.size(-1)) * self.state
        return x * self.state
    """,
    "the other side of the opposite test": """
    def forward(self, x):
        if self.state is not None:
            self.state = window(x.size(-1)) * self.state
        else:
            self.state = x
        return x * self.state
    """,
    "the helper is called without a cache as well": """
    def forward(self, x):
        if self.size != x.size(-1):
            self.window = window(x.size(-1))
            self.size = x.size(-1)
        return x * self.window * window(x.size(-1))
    """,
}


def breaks_once(forward: str) -> bool:
    """Whether the break is reported as one of the call that fills the cache alone."""
    result = check_source(HEAD + forward, "model.py", Settings(select=("BRK601",)))
    assert result.errors == ()
    (effect,) = {found.effect for found in result.findings}
    assert all(found.when and found.note.startswith("only the call that fills") for found in result.findings) == (
        effect is Effect.RECOMPILE
    )
    return effect is Effect.RECOMPILE


@pytest.mark.parametrize("forward", ONCE.values(), ids=ONCE)
def test_a_break_where_a_cache_is_filled_is_a_recompile_under_its_test(forward: str) -> None:
    assert breaks_once(forward)


@pytest.mark.parametrize("forward", ALWAYS.values(), ids=ALWAYS)
def test_a_break_in_a_branch_that_may_run_again_stays_a_break(forward: str) -> None:
    assert not breaks_once(forward)


LAZY = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = None

    def forward(self, x):
        if self.proj is None:
            self.proj = nn.Linear(x.shape[-1], 2)
        return self.proj(x)
"""


def test_a_parameter_that_the_first_call_creates_is_a_break_under_the_test_of_the_branch() -> None:
    (found,) = check_source(LAZY, "model.py", Settings(select=("BRK605",))).findings
    assert (found.effect, found.when) == (Effect.BREAK, "self.proj is None")


def broken_calls(forward: str, folder: Path) -> list[bool]:
    """Which of four calls Dynamo breaks in."""
    torch: Any = pytest.importorskip("torch")
    from breaklint.dynamo.listener import Listener

    (folder / "cached.py").write_text(HEAD + forward)
    module = ModuleType("cached")
    exec(compile((folder / "cached.py").read_text(), str(folder / "cached.py"), "exec"), module.__dict__)
    torch._dynamo.reset()
    compiled, breaks = torch.compile(module.Net(), backend="eager"), []
    for _ in range(4):
        with Listener() as trace:
            compiled(torch.ones(2, 3))
        breaks.append(bool(trace.reports))
    return breaks


@pytest.mark.parametrize("forward", [*ONCE.values(), ALWAYS["a counter"]], ids=[*ONCE, "a counter"])
def test_dynamo_breaks_as_often_as_is_said(forward: str, tmp_path: Path) -> None:
    """Of four calls only the first breaks where a cache is filled; where it is none, later ones break as well."""
    expected = [True, False, False, False] if breaks_once(forward) else [True] * 4
    assert broken_calls(forward, tmp_path) == expected


@pytest.mark.parametrize("name", ["the other side, which later calls take", "the other side of the opposite test"])
def test_dynamo_breaks_on_the_other_side_from_the_second_call_on(name: str, tmp_path: Path) -> None:
    assert broken_calls(ALWAYS[name], tmp_path)[:2] == [False, True]
