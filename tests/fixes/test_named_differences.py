"""Unsafe fixes in places where they change results silently or always raise: these are declined, written so that they
do not, or named."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
from writing import fixed

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Settings

torch = pytest.importorskip("torch")

ARGUMENTS = "x: torch.Tensor, t: torch.Tensor"
EXPERTS = """\
y = torch.zeros_like(x)
mask = (t == torch.arange(3)[:, None])
hit = mask.any(1).nonzero()
for k in hit:
    k = k[0]
    (rows,) = torch.where(mask[k])
    y[rows] += self.experts[k](x[rows]) * {}
return y
"""
NET = """\
import numpy as np
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = torch.nn.ModuleList([torch.nn.Linear(2, 2) for _ in range(3)])

    def forward(self, x: torch.Tensor, t: torch.Tensor):
{body}
"""
ONES = torch.ones(2, 2)
SAME = {  # what is declined, or written so that it gives the same
    "a store under no_grad": (
        "y = x * 2\nwith torch.no_grad():\n    m = x > 0\n    y[m] = x[m] * 3\nreturn y",
        ONES,
        ONES,
    ),
    "a number of what is changed by it": ("y = x * 1.0\ny /= y[0, 0].item()\nreturn y", ONES, ONES),
    "rows that are themselves": ("y = torch.stack([r.positive() for r in x])\ny.add_(1)\nreturn y, x", ONES, ONES),
    "an expert in a set": (EXPERTS.format("(2 if k in {0} else 1)"), ONES, torch.tensor([0, 1])),
    "an expert's number in a power": (EXPERTS.format("2 ** (k - 2)"), ONES, torch.tensor([0, 1])),
    "an expert's number inverted": (EXPERTS.format("~(k == 0)"), ONES, torch.tensor([0, 1])),
    "an expert's number as a divisor": (EXPERTS.format("(1 / k)"), ONES, torch.tensor([1, 2])),
    "narrow integers as factors": (
        "y = torch.zeros_like(x)\nfor k in range(2):\n    rows, i = torch.where(t == k)\n"
        "    y.index_add_(0, rows, x[rows] * t[rows, i, None])\nreturn y",
        torch.ones(2, 2, dtype=torch.int32),
        torch.zeros(2, 1, dtype=torch.int32),
    ),
    "a bound that is no integer": ("return x * np.random.randint(0, x.shape[0] / 2)", torch.ones(4, 2), ONES),
}
NAMED = {  # words of the reason
    "rows of other experts": (EXPERTS.format("1"), "what refuses some of them raises"),
    "a mask with more columns": (EXPERTS.format("1"), "a mask with more columns than there are rows raises"),
    "a mean in half precision": ("return x[x > 0].mean()", "in half precision overflows"),
    "a mask without dimensions": ("return x[x.sum() > 0].sum(0)", "one without dimensions gives another result"),
    "small integers": ("n = t.max().item() - 10\nreturn x * n", "integers wrap around"),
    "an integer below zero": ("n = t.sum().item()\nreturn x * 2 ** n", "a power of them below zero raises or is 0"),
    "a complex number": ("n = t.sum().item()\nreturn x.clamp(max=n)", "complex tensors have no order"),
    "a narrow index": ("k = t.max().long()\nreturn x[k] * 2", "as does one of fewer than 32 bits"),
    "no rows": ("return torch.stack([r * 2 for r in x])", "without dimensions, gives a result where the loop raises"),
    "a mask of another shape": ("m = t.bool()\ny = x * 1\nif m.any():\n    y[m] = 0\nreturn y", "a mask of another"),
    "a wider mask": ("m = t.bool()\nif m.any():\n    x = x.masked_fill(m, 0)\nreturn x", "the shape of a wider mask"),
    "a power of a number": (
        "s = 2 if x.sum() > 0 else 3\nreturn x * s ** -1",
        "a power of an integer below zero raises",
    ),
}


def source(body: str) -> str:
    return NET.format(body=textwrap.indent(body.strip("\n"), " " * 8))


def result(text: str, x: torch.Tensor, t: torch.Tensor) -> Any:
    """What a call gives, and whether it needs a gradient; the error, where it raises."""
    names: dict[str, Any] = {}
    exec(text, names)
    torch.manual_seed(0)
    names["np"].random.seed(0)
    net = names["Net"]()
    x = x.clone().requires_grad_() if x.dtype.is_floating_point else x.clone()
    try:
        found = net(x * 1, t.clone())
    except (RuntimeError, ValueError, IndexError, TypeError, AttributeError, ArithmeticError) as error:
        return type(error)
    return [(each.tolist(), each.requires_grad) for each in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize(("body", "x", "t"), SAME.values(), ids=SAME)
def test_what_would_change_in_silence_is_declined_or_written_otherwise(
    body: str, x: torch.Tensor, t: torch.Tensor
) -> None:
    text = source(body)
    after = fix_source(text, "model.py", Settings(), unsafe=True).text or text
    assert result(after, x, t) == result(text, x, t)


@pytest.mark.parametrize(("body", "words"), NAMED.values(), ids=NAMED)
def test_what_an_unsafe_fix_may_change_is_named(body: str, words: str) -> None:
    found = check_source(source(body), "model.py", Settings()).findings
    assert any(each.fix is not None and words in each.fix.why for each in found), [each.fix for each in found]


def test_a_number_is_used_only_under_the_with_that_it_is_read_in() -> None:
    body = "with torch.inference_mode():\n    s = x.abs().max().item()\n{}return x / s"
    assert fixed(body.format(""), arguments=ARGUMENTS) == body.format("")
    assert "item" not in fixed(body.format("    "), arguments=ARGUMENTS)
