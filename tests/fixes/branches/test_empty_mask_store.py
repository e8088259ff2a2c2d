"""Branches that need no branch: a store under an empty mask stores nothing; chance; loops over found places."""

from __future__ import annotations

from typing import Any

import pytest
from writing import body_of, findings, fixed, model

from breaklint.source.edits import apply_edits

torch = pytest.importorskip("torch")

STORES = {
    "any": ("m = x > 1\nif m.any():\n    x[m] = 1\nreturn x", "m = x > 1\nx[m] = 1\nreturn x"),
    "in a call": (
        "if torch.any(x < 0):\n    x.masked_fill_(x < 0, 0.0)\nreturn x",
        "x.masked_fill_(x < 0, 0.0)\nreturn x",
    ),
    "counted": (
        "if (x == 0).sum() != 0:\n    x = x.masked_fill(x == 0, 1)\nreturn x",
        "x = x.masked_fill(x == 0, 1)\nreturn x",
    ),
    "the largest": ("if x.max() > 9:\n    x[x > 9] = 9\nreturn x", "x[x > 9] = 9\nreturn x"),
    "two stores": (
        "m = torch.isnan(x)\ny = x * 2\nif m.any():\n    x[m] = 0\n    # both\n    y[m] = 0\nreturn x + y",
        "m = torch.isnan(x)\ny = x * 2\n# both\nx[m] = 0\ny[m] = 0\nreturn x + y",
    ),
}
KEPT = {
    "another mask": "m = x > 1\nif m.any():\n    x[x > 2] = 1\nreturn x",
    "values": "m = x > 1\nif m.any():\n    x[m] = x[:1].flatten()\nreturn x",
    "more than a store": "m = x > 1\nif m.any():\n    x[m] = 1\n    self.count = 3\nreturn x",
    "an else": "m = x > 1\nif m.any():\n    x[m] = 1\nelse:\n    x[0] = 2\nreturn x",
    "all": "m = x > 1\nif m.all():\n    x[m] = 1\nreturn x",
    "a sum of numbers": "if x.sum() > 0:\n    x[x > 0] = 1\nreturn x",
    "the smallest that is large": "if x.min() > 1:\n    x[x > 1] = 1\nreturn x",
}
LAYERS = (
    "for i in range(3):\n    chance = torch.rand([])\n    if chance < 0.5:\n        continue\n    x = x * 2\nreturn x"
)


@pytest.mark.parametrize(("before", "after"), STORES.values(), ids=STORES)
def test_the_store_is_made_unasked(before: str, after: str) -> None:
    assert fixed(before) == after


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_a_branch_that_does_more_stays(body: str) -> None:
    fixes = [found.fix for found in findings(body) if found.name == "branch-on-tensor"]
    assert fixes == [None]


def test_a_branch_that_chance_decides_is_shown_for_eager_mode_alone() -> None:
    (found,) = findings(LAYERS)
    assert found.fix is not None
    assert found.fix.applicability.value == "display"
    text = apply_edits(model(LAYERS), list(found.fix.edits))
    assert "if not torch.compiler.is_compiling() and chance < 0.5:" in body_of(text)
    namespace: dict[str, Any] = {}
    exec(compile(text, "model.py", "exec"), namespace)
    torch._dynamo.reset()
    compiled = torch.compile(namespace["Net"](), backend="eager", fullgraph=True)
    torch.testing.assert_close(compiled(torch.ones(2)), torch.full((2,), 8.0))
