"""Conditions that are open: what they guard says when it happens, however they are written."""

from __future__ import annotations

import pytest
from harness import RunBreaklint, WriteFiles, model

from breaklint.lint.engine import check_source
from breaklint.model import Settings


def told(text: str, **settings: bool) -> list[tuple[str, str]]:
    """The code and the condition of every finding, in order."""
    result = check_source(text, "model.py", Settings(**settings))
    assert result.errors == ()
    return [(found.code, found.when) for found in result.findings]


NESTED = """
    if self.training:
        if mask is not None:
            if x.sum() > 0:
                x = x * 2
    return x
"""
SAME = {
    "one test": """
        if self.training and mask is not None and x.sum() > 0:
            x = x * 2
        return x
    """,
    "the opposite": """
        if not self.training or mask is None or not (x.sum() > 0):
            return x
        return x * 2
    """,
    "a conditional expression": """
        x = (x * 2 if x.sum() > 0 else x) if self.training and mask is not None else x
        return x
    """,
    "a condition of a comprehension": """
        found = [x for part in (1, 2) if self.training and mask is not None and x.sum() > 0]
        return found
    """,
    "a loop that goes on": """
        for _ in range(2):
            if not self.training:
                continue
            if mask is None:
                break
            if x.sum() > 0:
                x = x * 2
        return x
    """,
}


@pytest.mark.parametrize("forward", SAME.values(), ids=SAME)
def test_the_same_condition_is_told_however_it_is_written(forward: str) -> None:
    conditions = {condition for _, condition in told(model(forward))}
    assert conditions == {condition for _, condition in told(model(NESTED))} == {"self.training and mask is not None"}


CASES = {
    "an else": ("if self.training:\n    pass\nelse:\n    print(x)\nreturn x", ["not self.training"]),
    "an or": ("return x if self.training or x.sum() > 0 else x * 2", ["not self.training"]),
    "either of two": ("if self.training or mask is None:\n    print(x)\nreturn x", ["self.training or mask is None"]),
    "a case": ('match mask:\n    case "full":\n        print(x)\nreturn x', ["mask == 'full'"]),
    "the guard of a case": (
        "match mask:\n    case 1 if x.sum() > 0:\n        pass\nreturn x",
        ["mask == 1"],
    ),
    "a flag that is known": (
        "if self.missing is None and False:\n    print(x)\nif True:\n    print(x)\nreturn x",
        [""],
    ),
    "what only raises": ("if mask is None:\n    raise ValueError\nprint(x)\nreturn x", [""]),
    "both sides": ("if self.training:\n    y = 1\nelse:\n    y = 2\nprint(x)\nreturn x", [""]),
    "a loop with a flag": ("while self.training and x.sum() > 0:\n    x = x - 1\nreturn x", ["self.training"]),
    "a loop that changes what its flag is about": (
        "rows = x if self.training else None\n"
        "while rows is not None and rows.sum() > 0:\n    rows = rows[1:]\nreturn x",
        ["rows is not None"],
    ),
    "a loop whose flag is cleared": (
        "flag = self.training\nwhile flag or x.sum() > 0:\n    flag, x = False, x - 1\nreturn x",
        [""],
    ),
    "a type that is certain": ("if isinstance(x, torch.Tensor):\n    print(x)\nreturn x", [""]),
    "a tensor": ("if x.sum() > 0:\n    print(x)\nreturn x", ["", "x.sum() > 0"]),
    "the same test twice": (
        "if self.training:\n    if self.training and mask is None:\n        print(x)\nreturn x",
        ["self.training and mask is None"],
    ),
}


@pytest.mark.parametrize(("forward", "conditions"), CASES.values(), ids=CASES)
def test_what_is_told_of_a_condition(forward: str, conditions: list[str]) -> None:
    assert [condition for _, condition in told(model(forward))] == conditions


CALLS = """
import torch

class Net(torch.nn.Module):
    def forward(self, x, mask=None):
        if mask is not None:
            x = self.rare(x)
        try:
            x = self.{often}(x)
        except ValueError:
            self.complain(x)
        return x

    def often(self, x):
        return self.both(x)

    def rare(self, x):
        return self.both(x) if self.training else x

    def both(self, x):
        return x * x.mean().item()

    def complain(self, x):
        print(x)
"""


@pytest.mark.parametrize(
    ("often", "expected"), [("often", ""), ("rare", "self.training"), ("relu", "mask is not None and self.training")]
)
def test_a_function_holds_the_conditions_of_the_shortest_way_to_it(often: str, expected: str) -> None:
    assert told(CALLS.format(often=often)) == [("BRK201", expected)]


def test_conditional_findings_can_be_left_out(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    text = model("print(x)\nif self.training and x.sum() > 0:\n    x = x * 2\nreturn x")
    write_files({"model.py": text, "breaklint.toml": "conditional = false"})
    arguments = ("check", "--output-format", "concise", "model.py")
    assert "BRK101" in breaklint(*arguments).stdout
    assert "BRK301" not in breaklint(*arguments).stdout
    shown = breaklint(*arguments, "--conditional").stdout
    assert "is a Python condition on tensor data (when: self.training)" in shown


FORMATS = "full concise json json-lines sarif github gitlab junit markdown"


@pytest.mark.parametrize("output", FORMATS.split())
def test_every_format_tells_the_condition(write_files: WriteFiles, breaklint: RunBreaklint, output: str) -> None:
    write_files({"model.py": model("if self.training:\n    print(x)\nreturn x")})
    done = breaklint("check", "--isolated", "--output-format", output, "model.py")
    assert "when" in done.stdout
    assert "self.training" in done.stdout.replace("\\", "")


def test_a_wrapper_of_is_compiling_is_known() -> None:
    source = """\
import torch

_asked = getattr(torch.compiler, "is_compiling", None)


def is_compiling() -> bool:
    return bool(_asked()) if _asked is not None else False


def is_exporting() -> bool:
    return bool(torch.compiler.is_exporting())


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        if is_exporting() or is_compiling():
            return x
        return x.item()
"""
    assert told(source) == []


CALLED_WITHOUT = """
import torch
from torch import Tensor


class Masked(torch.nn.Module):
    def forward(self, x: Tensor, mask: Tensor | None = None):
        if mask is not None and torch.any(mask != 1):
            x = x * 2
        return x


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.masked = Masked()

    def forward(self, x):
        return self.masked(x)
"""


def test_a_caller_that_passes_no_mask_does_not_make_what_a_mask_is_asked_unconditional() -> None:
    assert told(CALLED_WITHOUT) == [("BRK301", "mask is not None")]


def test_a_call_for_both_outcomes_of_a_test_has_no_condition() -> None:
    both = "def both(y, size):\n    return y.item()\nif self.training:\n    return both(x, 1)\nreturn both(x, 2)"
    assert told(model(both)) == [("BRK201", "")]
