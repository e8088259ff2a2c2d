"""Loops over rows of several tensors, loops that fill a tensor, and torch.vmap for the rest."""

from __future__ import annotations

from typing import Any

import pytest
from writing import body_of, findings, fixed, model

from breaklint.source.edits import apply_edits

torch = pytest.importorskip("torch")

ARGUMENTS = "x: torch.Tensor, y: torch.Tensor"
WRITTEN = {
    "rows of two tensors": (
        "z = x.relu()\nreturn torch.stack([a * 2 + b for a, b in zip(x, z)])",
        "z = x.relu()\nreturn x * 2 + z",
    ),
    "the same place of two tensors": (
        "z = -x\nreturn torch.stack([x[i] - z[i] for i in range(len(x))])",
        "z = -x\nreturn x - z",
    ),
    "a tensor that is filled": (
        "out = torch.zeros_like(x)\nfor i in range(x.shape[0]):\n    out[i] = x[i] * 2\nreturn out",
        "out = torch.zeros_like(x)\nout[:] = x * 2\nreturn out",
    ),
    "filled by place and row": (
        "out = torch.empty(x.shape)\nfor i, row in enumerate(x):\n    out[i] = row.abs() + x[i]\nreturn out",
        "out = torch.empty(x.shape)\nout[:] = x.abs() + x\nreturn out",
    ),
}
MAPPED = {
    "tensors of shapes that are not known": (
        "return torch.stack([a * b for a, b in zip(x, y)])",
        "return torch.vmap(lambda a, b: a * b)(x, y)",
    ),
    "by place": (
        "return torch.stack([x[i] @ y[i] for i in range(len(x))])",
        "return torch.vmap(lambda x_row, y_row: x_row @ y_row)(x, y)",
    ),
    "a list": (
        "out = []\nfor row in x:\n    out.append(row.softmax(0))\nreturn torch.stack(out)",
        "return torch.vmap(lambda row: row.softmax(0))(x)",
    ),
    "a tensor that is filled": (
        "out = torch.zeros(len(x), 8)\nfor i in range(len(x)):\n    out[i] = x[i].cumsum(0)\nreturn out",
        "out = torch.zeros(len(x), 8)\nout[:] = torch.vmap(lambda x_row: x_row.cumsum(0))(x)\nreturn out",
    ),
}
LEFT = {
    "the row before": "out = torch.zeros_like(x)\nfor i in range(len(x)):\n    out[i] = out[i - 1] + x[i]\nreturn out",
    "another place": "out = torch.zeros_like(x)\nfor i in range(len(x)):\n    out[0] = x[i]\nreturn out",
    "a place that is computed with": "return torch.stack([x[i] * i for i in range(len(x))])",
    "random numbers": "return torch.stack([a * torch.rand(8) for a, b in zip(x, y)])",
    "the place of the last row": (
        "out = torch.zeros_like(x)\nfor i in range(len(x)):\n    out[i] = x[i]\nreturn out, i"
    ),
    "three of a pair": "return torch.stack([a for a, *b in zip(x, y, x)])",
}


def made(text: str) -> Any:
    namespace: dict[str, Any] = {}
    exec(compile(text, "model.py", "exec"), namespace)
    return namespace["Net"]()


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=WRITTEN)
def test_all_rows_at_once(before: str, after: str) -> None:
    assert fixed(before, arguments=ARGUMENTS) == after


@pytest.mark.parametrize(("before", "after"), MAPPED.values(), ids=MAPPED)
def test_vmap_is_shown_and_gives_the_same(before: str, after: str) -> None:
    fix = findings(before, ARGUMENTS)[0].fix
    assert fix is not None
    assert fix.applicability.value == "display"
    text = apply_edits(model(before, ARGUMENTS), list(fix.edits))
    assert body_of(text) == after
    x, y = torch.rand(4, 8), torch.rand(4, 8)
    torch._dynamo.reset()
    compiled = torch.compile(made(text), backend="eager", fullgraph=True)
    torch.testing.assert_close(compiled(x, y), made(model(before, ARGUMENTS))(x, y))


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_a_loop_that_is_left(body: str) -> None:
    assert [finding.fix for finding in findings(body, ARGUMENTS)] == [None]
