"""The changes of fixes, as unified diffs."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from difflib import unified_diff
from typing import TYPE_CHECKING

from breaklint.lint.places import cell_name
from breaklint.output.wording import paint, printable
from breaklint.source.source_text import NOTEBOOK

if TYPE_CHECKING:
    from breaklint.lint.results import Change, RunResult

_COMMAND = re.compile(r"^.?\s*::|##\[", re.MULTILINE)  # what GitHub's runner may take for a workflow command
_COLORS = {"+++": None, "---": None, "+": "green", "-": "red", "@": "cyan"}


def render(result: RunResult, color: bool = False) -> str:
    """A diff a changed file, as `patch -p0` takes it."""
    text = "".join(
        _painted(line, color)
        for change in result.changes
        for name, before, after in _texts(change)
        for line in _diff(name, before, after)
    )
    return _not_obeyed(text) if os.environ.get("GITHUB_ACTIONS") == "true" and _COMMAND.search(text) else text


def _not_obeyed(text: str) -> str:
    """`text` between two commands that stop GitHub's runner from obeying those in it; `patch` skips such lines."""
    token = secrets.token_hex(16)  # a source that knew it could end the silence
    return f"::stop-commands::{token}\n{text}::{token}::\n"


def _texts(change: Change) -> list[tuple[str, str, str]]:
    """Name, old and new text of a change: a file, or cells of a notebook."""
    source = change.source
    if not source.path.endswith(NOTEBOOK):
        return [(source.path, source.text, change.text)]
    from breaklint.source.notebooks import by_cell, shown

    new = dict(by_cell(shown(source, change.text)))
    return [(cell_name(source.path, cell), old, new[cell]) for cell, old in by_cell(shown(source)) if old != new[cell]]


def _diff(filename: str, before: str, after: str) -> Iterator[str]:
    name = _quoted(filename)
    for line in unified_diff(_lines(before), _lines(after), name, name):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _quoted(filename: str) -> str:
    """The name as git and `patch` spell one that holds characters which are not printable: in quotes, with escapes."""
    if filename.isprintable():
        return filename
    escaped = (
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:03o}" for byte in os.fsencode(filename)
    )
    return f'"{"".join(escaped)}"'


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
