"""The line that fixes a size which `mark_dynamic` marks: torch raises ConstraintViolationError."""

from __future__ import annotations

import pytest
from harness import findings

# Counted with sizes (6, 8) on torch 2.13: whether a mark without a range raises ConstraintViolationError, and whether
# one from 2 to 64 does. Sizes that a literal shape fixes (`x.view(4, 2, 4)`, `x.split(2)`) are not followed.
BODIES = {
    "x * 2 if x.shape[0] == 4 else x * 3": (False, True),
    "x * 2 if x.shape[0] == 1 else x * 3": (False, False),
    "x * 2 if x.shape[0] > 5 else x * 3": (False, True),
    "x * 2 if x.shape[0] % 2 == 0 else x * 3": (False, True),
    "sum(x[i].sum() for i in range(x.shape[0]))": (True, True),
    "torch.stack([x.sum(0)] * x.shape[0])": (True, True),
    "x * math.log(x.shape[0])": (True, True),
    'x * len(f"{x.shape[0]}")': (True, True),
    "x * {4: 1}.get(x.shape[0], 2)": (True, True),
    "x.unbind(0)[0]": (True, True),
    "x * int(x.shape[0])": (False, False),
    "x * 2": (False, False),
    "torch.nn.functional.linear(x, torch.ones(3, 8))": (False, False),
}
CODE = """import math
import torch


@torch.compile
def f(x):
    return {body}


def serve():
    x = torch.ones(6, 8)
    torch._dynamo.{mark}
    f(x)
"""


@pytest.mark.parametrize("body", BODIES)
def test_what_torch_raises_for_is_a_finding_at_its_line(body: str) -> None:
    for mark, violated in zip(("mark_dynamic(x, 0)", "mark_dynamic(x, 0, min=2, max=64)"), BODIES[body], strict=True):
        result = findings(CODE.format(body=body, mark=mark), select=("BRK504",))
        assert result == [(7, "BRK504")] * violated, mark


def test_a_weak_mark_may_be_fixed() -> None:
    code = CODE.format(body="x * math.log(x.shape[0])", mark="maybe_mark_dynamic(x, 0)")
    assert findings(code, select=("BRK504",)) == []


def test_each_function_that_receives_a_marked_tensor_is_read() -> None:
    code = CODE.format(body="sum(row.sum() for row in x)", mark="mark_dynamic(x, 0)")
    first = "@torch.compile\ndef first(x):\n    return x * math.log(x.shape[0])\n\n\ndef serve(x):\n    first(x)\n"
    code = code.replace("def serve():\n    x = torch.ones(6, 8)\n", first)
    assert findings(code, select=("BRK504",)) == [(7, "BRK504"), (12, "BRK504")]
