"""Fixes that are only shown: the code they show compiles whole and gives the same, where its conditions hold."""

from __future__ import annotations

from typing import Any

import pytest
from writing import body_of, model

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Applicability, Fix, Settings
from breaklint.source.edits import apply_edits

torch = pytest.importorskip("torch")

SHOWN = {
    "a branch that calls a module": (
        "if x.sum() > 0:\n    y = self.a(x)\nelse:\n    y = x\nreturn y * 2",
        "y = torch.where(x.sum() > 0, self.a(x), x)\nreturn y * 2",
    ),
    "no else": (
        "y = x * 2\nif x.sum() > 0 and x.mean() > 1:\n    y = self.a(y)\nreturn y",
        "y = x * 2\ny = torch.where(torch.logical_and(x.sum() > 0, x.mean() > 1), self.a(y), y)\nreturn y",
    ),
    "several names": (
        "if x.sum() > 0:\n    y = self.a(x)\n    z = x\nelse:\n    y = x\n    z = x * 2\nreturn y + z",
        "condition = x.sum() > 0\ny = torch.where(condition, self.a(x), x)\n"
        "z = torch.where(condition, x, x * 2)\nreturn y + z",
    ),
}
LEAVE = {
    "values that are no tensors": "if x.sum() > 0:\n    y = self.name()\nelse:\n    y = None\nreturn x, y",
}
INIT = "    def __init__(self):\n        super().__init__()\n        self.a = torch.nn.Linear(8, 8)\n\n"


def source_of(body: str) -> str:
    return model(body).replace("    def forward", f"{INIT}    def forward")


def shown(text: str) -> Fix:
    result = check_source(text, "model.py", Settings()).findings
    return next(f.fix for f in result if f.fix and f.fix.applicability is Applicability.DISPLAY)


def made(text: str) -> Any:
    namespace: dict[str, Any] = {}
    exec(compile(text, "model.py", "exec"), namespace)
    return namespace["Net"]()


@pytest.mark.parametrize(("before", "after"), SHOWN.values(), ids=SHOWN)
def test_it_shows_the_code(before: str, after: str) -> None:
    fix = shown(source_of(before))
    assert body_of(apply_edits(source_of(before), list(fix.edits))) == after
    assert fix.why


@pytest.mark.parametrize("before", [before for before, _ in SHOWN.values()], ids=SHOWN)
def test_it_does_not_write_it(before: str) -> None:
    assert fix_source(source_of(before), "model.py", Settings(), unsafe=True).text is None


@pytest.mark.parametrize("body", LEAVE.values(), ids=LEAVE)
def test_it_shows_none(body: str) -> None:
    assert all(finding.fix is None for finding in check_source(source_of(body), "model.py", Settings()).findings)


@pytest.mark.parametrize(("before", "after"), SHOWN.values(), ids=SHOWN)
def test_what_it_shows_compiles_whole(before: str, after: str) -> None:
    modules = [made(source_of(body)) for body in (before, after)]
    modules[1].load_state_dict(modules[0].state_dict())
    for x in (torch.rand(4, 8) + 2, -torch.rand(4, 8)):
        torch._dynamo.reset()
        compiled = torch.compile(modules[1], backend="eager", fullgraph=True)
        torch.testing.assert_close(compiled(x), modules[0](x))
