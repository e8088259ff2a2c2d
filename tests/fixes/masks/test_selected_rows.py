"""Rows that a condition selects, run through layers and stored back: all rows run, and a mask selects."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
from writing import without_options

from breaklint.lint.engine import fix_source
from breaklint.model import Settings

torch = pytest.importorskip("torch")

FILE = """\
import torch
from torch import nn


class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(inplace=True)
        self.layer = nn.Linear(4, 4)

    def forward(self, rows, more):
        return self.layer(self.act(rows)) + more


class Rows(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.part, self.mix = nn.Linear(4, 4), Part(), torch.cumsum

    def forward(self, x, k=None):
{rows}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows, self.layer, self.part = Rows(), nn.Linear(4, 4), Part()

    def forward(self, x: torch.Tensor, c: torch.Tensor):
{body}
"""
PASSED = "k = torch.where(c == 1)[0]\nreturn self.rows(x, k)"
STORED = "y = x * 2\nif len(k) > 0:\n    h = self.layer(x[k, :])\n    y[k] = self.part(y[k], h)\nreturn y"
UNUSED = "return x"
WRITTEN = {
    "indices passed to another module": (PASSED, STORED),
    "indices that are None otherwise": (f"k = None\nif c is not None:\n    {PASSED}", STORED),
    "indices passed by name": (PASSED.replace("(x, k)", "(x, k=k)"), STORED),
    "indices used where they are made": (
        "k = c.nonzero(as_tuple=True)[0]\ny = x * 2\ny[k] = self.part(y[k], x[k])\nreturn y",
        UNUSED,
    ),
    "without asking whether there are some": (PASSED, STORED.replace("if len(k) > 0:", "if True:")),
    "asked for their number": (PASSED, STORED.replace("len(k) > 0", "k.numel() > 0")),
    "a part of each row": (
        PASSED,
        "y = x + 1\nh = torch.relu(x[k, 1:3]).flatten(1)\n"
        "h = torch.nn.functional.pad(h, (0, 2))\ny[k] = h * 2\nreturn y",
    ),
    "moved and shaped": (
        PASSED,
        "y = x + 1\nh = x[k].unsqueeze(1).transpose(1, 2)\nn, d, _ = h.shape\nh = self.layer(h.view(n, d))\n"
        "y[k, :] = h.permute(0, 1) - h.mean(1, keepdim=True)\nreturn y",
    ),
}
LEFT = {
    "a sum over the rows": (PASSED, STORED.replace("self.layer(x[k, :])", "x[k, :].sum(0)")),
    "a mean of everything": (PASSED, STORED.replace("self.layer(x[k, :])", "x[k, :].mean()")),
    "the rows in another order": (PASSED, STORED.replace("self.layer(x[k, :])", "x[k, :].flip(0)")),
    "rows of rows": (PASSED, STORED.replace("self.layer(x[k, :])", "x[k, :].t()")),
    "a product of rows": (PASSED, STORED.replace("self.layer(x[k, :])", "x[k] @ x[k].t() @ x[k]")),
    "one of the rows": (PASSED, STORED.replace("self.layer(x[k, :])", "x[k][0]")),
    "a function that is not known": (PASSED, STORED.replace("self.layer(x[k, :])", "self.mix(x[k], 0)")),
    "rows that are returned": (PASSED, STORED.replace("return y", "return y, h")),
    "the number of rows returned": (
        PASSED,
        STORED.replace("y[k] =", "n = h.shape\n    y[k] =").replace("return y", "return y, n"),
    ),
    "rows of the turn before": (
        PASSED,
        "y = x * 2\nh = x\nfor _ in range(2):\n    y = y + h.sum()\n    h = self.layer(x[k])\n    y[k] = h\nreturn y",
    ),
    "indices that are returned": (PASSED, STORED.replace("return y", "return y, k")),
    "indices that are computed with": (PASSED, STORED.replace("x[k, :]", "x[k + 0]")),
    "nothing stored": (PASSED, "return self.layer(x[k])"),
    "nothing read": (PASSED, "y = x * 2\ny[k] = self.layer(x)\nreturn y"),
    "another answer where there are none": (PASSED, f"{STORED[:-8]}else:\n    y = -y\nreturn y"),
    "another column of indices": (PASSED.replace("[0]", "[1]"), STORED),
    "another function uses them, too": (f"{PASSED} + self.rows(x, torch.arange(1))", STORED),
    "another object uses them, too": (f"{PASSED} + Rows()(x, torch.arange(1))", STORED),
    "two places": (f"{PASSED} + x[k].sum()", STORED),
    "a loop among them": (
        PASSED,
        STORED.replace("    y[k] =", "    for _ in range(2):\n        h = h * 2\n    y[k] ="),
    ),
    "a store into a part of each row": (PASSED, "y = x * 2\ny[k, 1:] = self.layer(x[k])[:, 1:]\nreturn y"),
    "something happens among them": (PASSED, STORED.replace("    y[k] =", "    self.seen = print(k)\n    y[k] =")),
}
CONDITIONS = [[0, 1, 0, 1], [1, 1, 1, 1], [0, 0, 0, 0], [[0], [1], [1], [0]], [[0, 1], [1, 0], [0, 0], [0, 0]]]


def source(bodies: tuple[str, str]) -> str:
    body, rows = (textwrap.indent(each, " " * 8) for each in bodies)
    return FILE.format(body=body, rows=rows)


def written(bodies: tuple[str, str]) -> str:
    result = fix_source(source(bodies), "model.py", Settings(), True)
    assert result.errors == ()
    return result.text or source(bodies)


def outcome(text: str, condition: Any, compiled: bool = False, training: bool = False) -> list[Any]:
    """What the model gives, and the gradients."""
    namespace: dict[str, Any] = {}
    exec(compile(text, "model.py", "exec"), namespace)
    torch.manual_seed(0)
    net, x = namespace["Net"]().train(training), torch.randn(4, 4, requires_grad=True)
    run = torch.compile(net, backend="eager", fullgraph=True) if compiled else net
    result = run(x, torch.tensor(condition))
    (result * torch.arange(16.0).view(4, 4)).sum().backward()
    return [
        result.detach(),
        x.grad,
        *(each.grad for each in net.parameters() if each.grad is not None and each.grad.any()),
    ]


@pytest.mark.parametrize("bodies", WRITTEN.values(), ids=WRITTEN)
def test_all_rows_run_and_the_mask_selects(bodies: tuple[str, str]) -> None:
    text = written(bodies)
    assert "torch.where(c" not in text
    assert "nonzero" not in text
    assert "[:] = torch.where(k.view(y.size(0), " in text
    again = fix_source(text, "model.py", Settings(), True)
    assert again.text in (None, text)


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
@pytest.mark.parametrize("bodies", WRITTEN.values(), ids=WRITTEN)
def test_results_and_gradients_are_the_same(bodies: tuple[str, str], condition: Any) -> None:
    before, after = outcome(source(bodies), condition), outcome(written(bodies), condition)
    assert len(before) == len(after)
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize("bodies", WRITTEN.values(), ids=WRITTEN)
def test_it_compiles_whole(bodies: tuple[str, str]) -> None:
    text = written(bodies)
    one, other = outcome(text, CONDITIONS[0]), outcome(text, CONDITIONS[0], compiled=True)
    assert all(torch.allclose(*pair, atol=1e-5) for pair in zip(one, other, strict=True))


@pytest.mark.parametrize("bodies", LEFT.values(), ids=LEFT)
def test_other_uses_are_left(bodies: tuple[str, str]) -> None:
    assert without_options(written(bodies)) == source(bodies)
