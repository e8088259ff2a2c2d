"""Sizes looped out of a tensor that was made of a list are looped out of the list."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from breaklint.lint.engine import fix_source
from breaklint.model import Settings

torch = pytest.importorskip("torch")

FILE = """\
import torch


class Parts(torch.nn.Module):
    def forward(self, x, shapes, listed):
{inner}

    @staticmethod
    def grids(shapes, ratio):
        found = []
        for level, (h, w) in enumerate(shapes):
            rows = torch.linspace(0.5, h - 0.5, h) / (ratio * h)
            found.append(rows.sum() * torch.linspace(0, w - 1, w).sum() / 2.0**level)
        return torch.stack(found)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = Parts()

    def cut(self, x, shapes):
        start, found = 0, 0.0
        for h, w in shapes:
            part = x.flatten()[start : start + h * w].view(h, w)
            found = found + part.sum(0).amax()
            start += h * w
        return found

    def forward(self, x: torch.Tensor):
        sizes = []
        for part in (x[:2], x[2:]):
            h, w = part.shape
            sizes.append((h, w))
        {made}
{body}
"""
MADE = "shapes = torch.as_tensor(sizes, dtype=torch.long, device=x.device)"
INNER = "return self.grids(shapes, x.mean())"
CUT = "return self.cut(x, shapes) + shapes.sum()"
LOOP = (
    "found = 0.0\nfor h, w in shapes:\n"
    "    found = found + x.flatten()[: h * w].view(h, w).sum() * x.sum()\nreturn found"
)
WRITTEN = {
    "in the same function": ((MADE, LOOP, INNER), "for h, w in sizes:"),
    "made by tensor": (("shapes = torch.tensor(sizes)", LOOP, INNER), "for h, w in sizes:"),
    "in a method that gets the tensor": ((MADE, CUT, INNER), "self.cut(x, sizes)"),
    "in a method that gets the tensor by name": (
        (MADE, CUT.replace("x, shapes", "x, shapes=shapes"), INNER),
        "x, shapes=sizes)",
    ),
    "in a function two calls away, beside the list": (
        (MADE, "return self.parts(x, shapes, sizes) + shapes.sum()", INNER),
        "self.grids(listed, x.mean())",
    ),
    "in a function two calls away": (
        (MADE, "return self.parts(x, shapes, None)", "return self.grids(shapes, x.mean())"),
        "",
    ),
}
LEFT = {
    "a list that changes": (MADE, f"sizes.append((1, 1))\n{LOOP}", INNER),
    "a list that is changed in place": (MADE, f"sizes[0] = (1, 1)\n{LOOP}", INNER),
    "a list under a name that changes": (MADE, f"sizes = [(1, 1)]\n{LOOP}", INNER),
    "a tensor of floats": ("shapes = torch.tensor(sizes, dtype=torch.float)", CUT, INNER),
    "a tensor of small integers": ("shapes = torch.tensor(sizes, dtype=torch.int8)", CUT, INNER),
    "a list of floats": ("sizes = [(2.0, 4.0)]\n        shapes = torch.tensor(sizes, dtype=torch.long)", CUT, INNER),
    "a tensor that is computed with": (f"{MADE} + 1", CUT, INNER),
    "a method that two calls use": (MADE, f"{CUT} + self.cut(x, shapes * 1)", INNER),
    "a size that a method is called of": (MADE, LOOP.replace("* x.sum()", "* h.clamp(max=3)"), INNER),
    "a size that is read behind the loop": (MADE, LOOP.replace("return found", "return found * h.float()"), INNER),
    "a size that is returned": (MADE, LOOP.replace("return found", "return found, h"), INNER),
    "a size in a list": (MADE, LOOP.replace("found = found", "seen = [h]\n    found = found"), INNER),
    "a size that torch computes with": (MADE, LOOP.replace("* x.sum()", "* torch.sqrt(h)"), INNER),
    "a sum of sizes in the turn before": (
        MADE,
        "n, found = 0, 0.0\nfor h, w in shapes:\n    found = found + torch.sqrt(n + x.sum()) + n\n"
        "    n = h + w\n    found = found + x.flatten()[:n].sum()\n    found = found + torch.sqrt(n)\nreturn found",
        INNER,
    ),
    "a comparison that is kept": (MADE, LOOP.replace("* x.sum()", "* (h > 1)"), INNER),
    "a sum of sizes that is returned": (
        MADE,
        LOOP.replace("found = found", "n = h + w\n    found = found").replace("return found", "return found, n"),
        INNER,
    ),
}


def source(parts: tuple[str, str, str]) -> str:
    made, body, inner = parts
    body, inner = (textwrap.indent(each, " " * 8) for each in (body, inner))
    return FILE.format(made=made, body=body, inner=inner)


def written(text: str) -> str:
    result = fix_source(text, "model.py", Settings(select=("BRK404",)), True)
    assert result.errors == ()
    return result.text or text


def outcome(text: str, shape: tuple[int, int], compiled: bool = False) -> list[Any]:
    """What the model gives, and the gradient."""
    namespace: dict[str, Any] = {}
    exec(compile(text, "model.py", "exec"), namespace)
    net, x = namespace["Net"](), torch.arange(float(shape[0] * shape[1])).view(shape).requires_grad_()
    run = torch.compile(net, backend="eager", fullgraph=True) if compiled else net
    result = run(x)
    result.sum().backward()
    return [result.detach(), x.grad]


FIXED = {name: (source(parts), new) for name, (parts, new) in WRITTEN.items() if new}


@pytest.mark.parametrize(("text", "new"), FIXED.values(), ids=FIXED)
def test_the_sizes_come_from_the_list(text: str, new: str) -> None:
    fixed = written(text)
    assert new in fixed
    assert written(fixed) == fixed


@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 7)])
@pytest.mark.parametrize("text", [text for text, _ in FIXED.values()], ids=FIXED)
def test_results_and_gradients_are_the_same(text: str, shape: tuple[int, int]) -> None:
    for one, other in zip(outcome(text, shape), outcome(written(text), shape), strict=True):
        assert one.dtype == other.dtype
        assert torch.allclose(one, other)


@pytest.mark.parametrize("text", [text for text, _ in FIXED.values()], ids=FIXED)
def test_it_compiles_whole(text: str) -> None:
    fixed = written(text)
    for one, other in zip(outcome(fixed, (5, 3)), outcome(fixed, (5, 3), compiled=True), strict=True):
        assert torch.allclose(one, other)


@pytest.mark.parametrize("parts", LEFT.values(), ids=LEFT)
def test_other_loops_are_left(parts: tuple[str, str, str]) -> None:
    assert written(source(parts)) == source(parts)
