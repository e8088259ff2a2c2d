"""What fixes would change, as unified diffs."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from typing import TYPE_CHECKING

from breaklint.lint.places import cell_name
from breaklint.output.wording import paint, printable
from breaklint.source.source_text import NOTEBOOK

if TYPE_CHECKING:
    from breaklint.lint.results import Change, RunResult

_COLORS = {"+++": None, "---": None, "+": "green", "-": "red", "@": "cyan"}


def render(result: RunResult, color: bool = False) -> str:
    """A diff a changed file, as `patch -p0` takes it."""
    return "".join(
        _painted(line, color)
        for change in result.changes
        for name, before, after in _texts(change)
        for line in _diff(name, before, after)
    )


def _texts(change: Change) -> list[tuple[str, str, str]]:
    """Name, old and new text of what a change changes: a file, or cells of a notebook."""
    source = change.source
    if not source.path.endswith(NOTEBOOK):
        return [(source.path, source.text, change.text)]
    from breaklint.source.notebooks import by_cell, shown

    new = dict(by_cell(shown(source, change.text)))
    return [(cell_name(source.path, cell), old, new[cell]) for cell, old in by_cell(shown(source)) if old != new[cell]]


def _diff(filename: str, before: str, after: str) -> Iterator[str]:
    for line in unified_diff(_lines(before), _lines(after), filename, filename):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """As str.splitlines, but only at newlines: form feeds belong to their line."""
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])


def _painted(line: str, color: bool) -> str:
    if color:
        line = printable(line.removesuffix("\n")) + "\n"  # for eyes; a pipe gets the bytes that `patch` needs
    for start, fg in _COLORS.items():
        if line.startswith(start):
            return paint(line, color, fg=fg, bold=fg is None)
    return line
