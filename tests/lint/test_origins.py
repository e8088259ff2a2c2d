"""The cause of a finding: the expression where its value leaves the tensors."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import check_source
from breaklint.model import Settings

HEAD = """\
import torch


def largest(lengths):
    n = lengths.max()
    return n, lengths.sum()


def half(n):
    return n // 2


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor, lengths: torch.Tensor):
"""
CASES = {
    "a name": ("n = lengths.max()\nreturn x.new_zeros(n)", "lengths.max()"),
    "arithmetic": ("n = lengths.max()\nreturn x.new_zeros(2 * (n + 1))", "lengths.max()"),
    "a return of several values": ("n, total = largest(lengths)\nreturn x.new_zeros(n)", "lengths.max()"),
    "a call": ("n = lengths.max()\nreturn x.new_zeros(half(n))", "lengths.max()"),
    "a branch": ("wide = x.max() > 1\nif wide:\n    x = x + 1\nreturn x", "x.max()"),
    "a name that is bound on one path": (
        "if x.ndim > 1:\n    n = lengths.max()\nif x.ndim > 1:\n    return x.new_zeros(n)\nreturn x",
        "lengths.max()",
    ),
    "the same side of a branch": (
        "if x.ndim > 1:\n    n = x.shape[0]\nelse:\n    if x.ndim > 0:\n        n = lengths.max()\n"
        "    return x.new_zeros(n)\nreturn x",
        "lengths.max()",
    ),
    "either side of a branch": (
        "if x.ndim > 1:\n    n = lengths.max()\nelse:\n    n = lengths.min()\nreturn x.new_zeros(n)",
        "",
    ),
    "a mask": ("m = (x - 1) > 0\nreturn x[m].sum()", "(x - 1) > 0"),
}


def check(body: str) -> list[str]:
    text = HEAD + "".join(f"        {line}\n" for line in body.splitlines())
    result = check_source(text, "net.py", Settings())
    assert result.errors == ()
    return [
        finding.cause.source if finding.cause else "" for finding in result.findings if finding.effect.value == "break"
    ]


@pytest.mark.parametrize(("body", "cause"), CASES.values(), ids=CASES)
def test_the_cause_is_where_the_value_leaves_the_tensors(body: str, cause: str) -> None:
    assert check(body) == [cause]


def test_findings_of_one_value_share_their_cause() -> None:
    body = "n = lengths.max()\ny = x.new_zeros(n)\nz = x.new_ones(n)\nreturn x.narrow(0, 0, n) + y + z"
    assert check(body) == ["lengths.max()"] * 3


def test_a_finding_at_the_value_itself_has_no_cause() -> None:
    assert check("return x * lengths.max().item()") == [""]


def test_a_parameter_leads_to_the_argument_of_its_caller() -> None:
    text = (
        "import torch\n\n\ndef zeros(x, n):\n    return x.new_zeros(n)\n\n\n"
        "class Net(torch.nn.Module):\n    def forward(self, x, lengths):\n"
        "        return zeros(x, lengths.max())\n"
    )
    (result,) = [
        finding for finding in check_source(text, "net.py", Settings()).findings if finding.effect.value == "break"
    ]
    assert result.cause is not None
    assert (result.cause.row, result.cause.source) == (10, "lengths.max()")
