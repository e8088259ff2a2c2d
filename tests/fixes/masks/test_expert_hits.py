"""Loops over the places that hold anything, as routers of experts have them: every place gets its turn."""

from __future__ import annotations

import textwrap
from functools import cache
from typing import Any

import pytest
from nightly import one_in

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Applicability, Settings

torch = pytest.importorskip("torch")

FILE = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleDict({{f"expert_{{k}}": nn.Linear(4, 4) for k in range(5)}})
        self.weight = nn.Parameter(torch.linspace(-1, 1, 5 * 16).view(5, 4, 4))
        self.dropout, self.share = nn.Dropout(), 0.5

    def forward(self, x: torch.Tensor, chosen: torch.Tensor, weights: torch.Tensor):
        y = torch.zeros_like(x)
{body}
        return y
"""
MASK = "mask = nn.functional.one_hot(chosen, num_classes=5).permute(2, 1, 0)\n"
HIT = MASK + "hit = torch.greater(mask.sum(dim=(-1, -2)), 0).nonzero()\n"
ROWS = """
for k in hit:
    i, rows = torch.where(mask[k].squeeze(0))
    h = x[None, rows].reshape(-1, x.shape[-1])
    h = self.experts[f"expert_{k[0]}"](h) * weights[rows, i, None]
    y.index_add_(0, rows, h.to(x.dtype))
"""
NUMBERS = """
for k in hit:
    k = k[0]
    if k == 5:
        continue
    i, rows = torch.where(mask[k])
    h = nn.functional.linear(x[rows], self.weight[k]) * weights[rows, i, None]
    y.index_add_(0, rows, h)
"""
WRITTEN = {
    "rows of places": (HIT + ROWS, "for k in [[place] for place in range(mask.shape[0])]:"),
    "places as numbers": (HIT + NUMBERS, "for k in range(mask.shape[0]):"),
    "a mask asked without gradients": (
        "with torch.no_grad():\n" + textwrap.indent(HIT, "    ") + NUMBERS,
        "for k in range(mask.shape[0]):",
    ),
    "without a name": (
        MASK + NUMBERS.replace("hit", "(mask.sum((-2, -1)) > 0).nonzero()"),
        "for k in range(mask.shape[0]):",
    ),
    "flattened": (
        HIT.replace("nonzero()", "nonzero().squeeze(-1)") + NUMBERS.replace("    k = k[0]\n", ""),
        "for k in range(mask.shape[0]):",
    ),
    "rows that are stored": (
        HIT + NUMBERS.replace("y.index_add_(0, rows, h)", "y[rows] += h"),
        "for k in range(mask.shape[0]):",
    ),
}
LEFT = {
    "a branch on a setting": HIT + ROWS.replace("    y.", "    if self.share > 0:\n        h *= self.share\n    y."),
    "a turn that counts": HIT + ROWS + "    y += 1\n",
    "a turn that stores elsewhere": HIT + ROWS + "    y[0] = 1\n",
    "a turn that is kept": HIT + ROWS + "y = y + h.sum()\n",
    "a sum of what was": HIT + "h = x * 0\n" + NUMBERS.replace("h = nn", "h = h.sum() + nn"),
    "a call for its effect": HIT + NUMBERS + "    self.seen(k)\n",
    "other rows than were asked": HIT + NUMBERS.replace("mask[k]", "mask.flip(0)[k]"),
    "a mask that changes": HIT + "mask = mask.flip(0)\n" + NUMBERS,
    "a mask that is changed": HIT + "mask.zero_()\n" + NUMBERS,
    "the first dimension": HIT.replace("(-1, -2)", "(0, 1)") + NUMBERS,
    "a part of each row": HIT.replace("dim=(-1, -2)", "dim=1") + NUMBERS,
    "a test against a share": HIT.replace(", 0)", ", 2)") + NUMBERS,
    "places that are counted": HIT + NUMBERS + "y = y * len(hit)\n",
    "the last place": HIT + ROWS + "y = y * k\n",
    "an early end": HIT + NUMBERS.replace("continue", "break"),
    "a place that is passed on": HIT + NUMBERS.replace("self.weight[k]", "self.picked(k)"),
    "another loop around": HIT.replace("hit =", "for mask in mask[None]:\n    hit =") + NUMBERS.replace("\n", "\n    "),
}
INPUTS = {
    "some places": [[0, 2], [2, 0], [2, 4]],
    "one place": [[3, 3], [3, 3], [3, 3]],
    "all places": [[0, 1], [2, 3], [4, 0]],
}

CONSENT = Settings(capture_options=True)


def source(body: str) -> str:
    """The source of a module with this loop."""
    return FILE.format(body=textwrap.indent(body.strip("\n"), " " * 8))


@cache
def written(body: str) -> str:
    """What the fixes leave of it."""
    result = fix_source(source(body), "model.py", CONSENT, True)
    assert result.errors == ()
    return result.text or source(body)


def outcome(text: str, chosen: list[list[int]], compiled: bool = False) -> list[Any]:
    """The result, and the gradients of inputs and weights, in which none is zeros."""
    space: dict[str, Any] = {}
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=compiled):
        exec(text, space)
        torch.manual_seed(0)
        net = space["Net"]()
        call = torch.compile(net, backend="aot_eager", fullgraph=True) if compiled else net
        x, weights = torch.randn(3, 4, requires_grad=True), torch.rand(3, 2, requires_grad=True)
        result = call(x, torch.tensor(chosen), weights)
        result.square().sum().backward()
    leaves = [x, weights, *net.parameters()]
    return [result.detach(), *(torch.zeros_like(each) if each.grad is None else each.grad for each in leaves)]


@pytest.mark.parametrize(("body", "loop"), WRITTEN.values(), ids=WRITTEN)
def test_the_loop_runs_for_every_place(body: str, loop: str) -> None:
    text = written(body)
    assert loop in text
    assert "nonzero" not in text
    assert text.startswith(
        "import torch\nfrom torch import nn\n\ntorch._dynamo.config.capture_dynamic_output_shape_ops"
    )


@pytest.mark.parametrize("chosen", INPUTS.values(), ids=INPUTS)
@pytest.mark.parametrize("body", [body for body, _ in WRITTEN.values()], ids=WRITTEN)
def test_results_and_gradients_are_the_same(body: str, chosen: list[list[int]]) -> None:
    before, after = outcome(source(body), chosen), outcome(written(body), chosen)
    assert all(map(torch.equal, before, after))


@pytest.mark.parametrize("body", one_in(3, [body for body, _ in WRITTEN.values()], WRITTEN))
def test_it_compiles_whole_once_for_all_places(body: str) -> None:
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    chosen = INPUTS["some places"]
    for one, other in zip(outcome(source(body), chosen), outcome(written(body), chosen, True), strict=True):
        torch.testing.assert_close(one, other)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_other_loops_are_not_rewritten(body: str) -> None:
    fixes = [
        found.fix
        for found in check_source(source(body), "model.py", Settings(ignore=("BRK405",), capture_options=True)).findings
    ]
    over_all = [fix for fix in fixes if fix is not None and "for every place" in fix.message]
    assert over_all == []


def test_what_is_written_is_left_alone() -> None:
    text = written(HIT + NUMBERS)
    again = fix_source(text, "model.py", CONSENT, True)
    assert again.text in (None, text)


def test_modules_without_rows_get_gradients_of_zeros_as_the_reason_says() -> None:
    fixes = [found.fix for found in check_source(source(HIT + ROWS), "model.py", CONSENT).findings]
    whys = [fix.why for fix in fixes if fix is not None and fix.applicability is Applicability.UNSAFE]
    assert whys
    assert all("their weights get gradients of zeros where they got none" in why for why in whys)
