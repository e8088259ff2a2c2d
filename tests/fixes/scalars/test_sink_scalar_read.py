"""Numbers that only one branch needs are read in that branch."""

from __future__ import annotations

import pytest
from writing import body_of

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Settings

MODEL = """\
import torch


class Net(torch.nn.Module):
    def __init__(self, rates=(0.5,), deep=False):
        super().__init__()
        self.rate = len(rates)
        self.deep = bool(deep)
        self.given = deep
        self.norm = torch.nn.BatchNorm1d(8)
        self.bare = torch.nn.BatchNorm1d(8, track_running_stats=False)
        self.register_buffer("speed", torch.zeros(1))
        self.register_buffer("pair", torch.zeros(2))

    def deepen(self):
        self.changing = True

    def forward(self, x: torch.Tensor):
{body}
"""
NEXT = "if self.training:\n    x = x * n\nreturn x"
LATER = "x = self.norm(x)\nif self.rate > 0 and self.deep:\n    x = x * n\nreturn x"
MOVED = {
    "to the branch that comes next": (
        f"n = self.speed.item()\n{NEXT}",
        "if self.training:\n    n = self.speed.item()\n    x = x * n\nreturn x",
    ),
    "under the conditions of a later branch": (
        f"n = int(self.norm.num_batches_tracked)  # so far\n{LATER}",
        f"if self.rate > 0 and self.deep:\n    n = int(self.norm.num_batches_tracked)  # so far\n{LATER}",
    ),
    "under the conditions of a branch within a branch": (
        "n = self.speed.item()\nx = x + 1\n"
        "if self.training:\n    if not self.deep:\n        x = x * n\n    x = -x\nreturn x",
        "if self.training and not self.deep:\n    n = self.speed.item()\nx = x + 1\n"
        "if self.training:\n    if not self.deep:\n        x = x * n\n    x = -x\nreturn x",
    ),
    "to the other side of a branch": (
        "n = self.speed.item()\nif self.deep:\n    x = -x\nelse:\n    x = x * n\nreturn x",
        "if self.deep:\n    x = -x\nelse:\n    n = self.speed.item()\n    x = x * n\nreturn x",
    ),
}
COPIED = {
    "a setting that changes": "self.changing",
    "a name that changes": "k",
    "a setting that may be no bool": "self.given",
    "a setting that may be no number": "self.given > 0",
    "a condition that may raise": "self.deep > 'a'",
    "a condition that calls something": "self.decide()",
}
KEPT = {
    "used behind the branch": f"n = self.speed.item()\n{NEXT[:-8]}return x + n",
    "more than one element may raise": f"n = self.pair.item()\n{NEXT}",
    "a batch norm that counts nothing": f"n = int(self.bare.num_batches_tracked)\n{NEXT}",
    "a condition that reads data": "n = self.speed.item()\nif x.sum() > 0:\n    x = x * n\nreturn x",
    "two values": f"n = self.speed.item()\nn = n + 1\n{NEXT}",
    "text": "n = self.speed.item()\nx = x + 1\nif self.changing:\n    x = x * len(f'{n}')\nreturn x",
}


def safely_fixed(body: str) -> str:
    text = MODEL.format(body="\n".join(f"        {line}" for line in body.split("\n")))
    result = fix_source(text, "model.py", Settings(), unsafe=False)
    assert result.errors == ()
    return body_of((result.text or text).partition("def deepen")[2])


@pytest.mark.parametrize(("before", "after"), MOVED.values(), ids=MOVED)
def test_the_number_is_read_where_it_is_used(before: str, after: str) -> None:
    assert safely_fixed(before) == after


@pytest.mark.parametrize("test", COPIED.values(), ids=COPIED)
def test_the_number_is_read_from_a_copy(test: str) -> None:
    body = f"k = self.deep\nn = {{}}\nk = not k\nif {test}:\n    x = x * {{}}\nreturn x"
    assert safely_fixed(body.format("self.speed.item()", "n")) == body.format("self.speed.detach().clone()", "n.item()")


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_the_number_is_read_where_it_was(body: str) -> None:
    assert safely_fixed(body) == body


def test_the_branch_still_breaks_where_it_is_taken() -> None:
    text = MODEL.format(body="        if self.training:\n            x = x * self.speed.item()\n        return x")
    assert [found.code for found in check_source(text, "model.py", Settings()).findings] == ["BRK201"]
