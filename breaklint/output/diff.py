"""What fixes would change, as unified diffs."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from typing import TYPE_CHECKING

from breaklint.output.wording import paint

if TYPE_CHECKING:
    from breaklint.run import RunResult

_COLORS = {"+++": None, "---": None, "+": "green", "-": "red", "@": "cyan"}


def render(result: RunResult, color: bool = False) -> str:
    """A diff a changed file, as `patch -p0` takes it."""
    return "".join(
        _painted(line, color)
        for change in result.changes
        for line in _diff(change.source.path, change.source.text, change.text)
    )


def _diff(filename: str, before: str, after: str) -> Iterator[str]:
    for line in unified_diff(_lines(before), _lines(after), filename, filename):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """As str.splitlines, but only at newlines: form feeds belong to their line."""
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])


def _painted(line: str, color: bool) -> str:
    for start, fg in _COLORS.items():
        if line.startswith(start):
            return paint(line, color, fg=fg, bold=fg is None)
    return line
