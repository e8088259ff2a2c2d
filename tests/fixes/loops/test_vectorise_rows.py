"""Loops over rows of several tensors, and loops that fill a tensor."""

from __future__ import annotations

import pytest
from writing import findings, fixed

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
LEFT = {
    "tensors of unknown shapes": "return torch.stack([a * b for a, b in zip(x, y)])",
    "a product of rows": "return torch.stack([x[i] @ y[i] for i in range(len(x))])",
    "the row before": "out = torch.zeros_like(x)\nfor i in range(len(x)):\n    out[i] = out[i - 1] + x[i]\nreturn out",
    "another place": "out = torch.zeros_like(x)\nfor i in range(len(x)):\n    out[0] = x[i]\nreturn out",
    "a place that is computed with": "return torch.stack([x[i] * i for i in range(len(x))])",
    "random numbers": "return torch.stack([a * torch.rand(8) for a, b in zip(x, y)])",
    "the place of the last row": (
        "out = torch.zeros_like(x)\nfor i in range(len(x)):\n    out[i] = x[i]\nreturn out, i"
    ),
    "three of a pair": "return torch.stack([a for a, *b in zip(x, y, x)])",
}


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=WRITTEN)
def test_all_rows_at_once(before: str, after: str) -> None:
    assert fixed(before, arguments=ARGUMENTS) == after


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_a_loop_that_is_left(body: str) -> None:
    assert [finding.fix for finding in findings(body, ARGUMENTS)] == [None]
