"""An assert whose condition breaks the graph, whatever breaks in it, is made only when not compiling."""

from __future__ import annotations

from typing import Any

import pytest
from writing import findings, fixed, model

torch = pytest.importorskip("torch")

TEST = "torch.compiler.is_compiling() or"
WRITTEN = {
    "a number": ("assert x.max().item() <= 4\nreturn x", f"assert {TEST} x.max().item() <= 4\nreturn x"),
    "a list": ("assert x.tolist() != [1.0], 'one'\nreturn x", f"assert {TEST} x.tolist() != [1.0], 'one'\nreturn x"),
    "one case of two": (
        "assert x.min().item() > 0 if x.dim() else x.numel()\nreturn x",
        f"assert {TEST} (x.min().item() > 0 if x.dim() else x.numel())\nreturn x",
    ),
    "elements under a mask": (
        "assert x[x > 0].numel() > 0\nreturn x",
        f"assert {TEST} x[x > 0].numel() > 0\nreturn x",
    ),
}
LEFT = {
    "a condition that binds a name": "assert (k := x.tolist()) != [1.0]\nreturn x, k",
    "a number that is read elsewhere, too": "k = x.tolist()\nassert k != [1.0]\nreturn [x, k]",
    "the message, which is computed after the condition": "assert x.dim() == 1, x.tolist()\nreturn x",
}


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=WRITTEN)
def test_the_assert_is_made_only_when_not_compiling(before: str, after: str) -> None:
    assert fixed(before) == after
    assert findings(after) == ()


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_other_asserts_are_left(body: str) -> None:
    assert fixed(body) == body


@pytest.mark.parametrize("given", [-1.0, 2.0, 6.0])
@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=WRITTEN)
def test_without_compiling_the_same_is_raised(before: str, after: str, given: float) -> None:
    output = []
    for body in (before, after):
        namespace: dict[str, Any] = {}
        exec(compile(model(body), "model.py", "exec"), namespace)
        try:
            output.append(namespace["Net"]()(torch.tensor([given])).tolist())
        except (AssertionError, ValueError) as error:
            output.append(repr(error))
    assert output[0] == output[1]
