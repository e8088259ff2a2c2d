"""Findings under the name of their file."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from breaklint.lint.places import place
from breaklint.output.wording import code_and_message, paint, printable, summary

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult


def render(result: RunResult, color: bool = False) -> str:
    """A block a file: its name, then a line a finding with its place; then the summary."""
    blocks = []
    for filename, group in groupby(result.findings, key=place):
        findings = list(group)
        places = [f"{row}:{column}" for (row, column), _ in (finding.span for finding in findings)]
        width = max(map(len, places))
        lines = [
            f"  {place:>{width}} {code_and_message(finding, color)}\n"
            for place, finding in zip(places, findings, strict=True)
        ]
        blocks.append(paint(printable(filename), color, bold=True) + ":\n" + "".join(lines) + "\n")
    return "".join(blocks) + summary(result)
