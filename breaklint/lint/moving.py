"""Results of a file whose findings lie in other files, with new rows after changes above them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from breaklint.model import EagerCall, Entry, FileResult, Finding, Forward, Span

Move = Callable[[str, int], int]  # gets a file name and a row, and returns the new row; KeyError if there is none
_Function = TypeVar("_Function", Entry, Forward, EagerCall)
_ROW_IN_WORDS = re.compile(r"\blines? \d")


def move_rows(result: FileResult, move: Move) -> FileResult:
    """The result with new rows."""
    return result._replace(
        findings=tuple(_finding(finding, move) for finding in result.findings),
        silenced=tuple((name, _span(name, span, move)) for name, span in result.silenced),
        captured=tuple((name, _span(name, span, move), code) for name, span, code in result.captured),
        entries=_functions(result.entries, move),
        forwards=_functions(result.forwards, move),
        eager_calls=_functions(result.eager_calls, move),
    )


def names_rows(texts: str, path: str) -> bool:
    """Whether texts contain a row of a file in words, which `move_rows` does not change."""
    return f"{os.path.basename(path)}:" in texts or _ROW_IN_WORDS.search(texts) is not None


def _finding(finding: Finding, move: Move) -> Finding:
    name, fix, cause = finding.filename, finding.fix, finding.cause
    if cause is not None:
        cause = cause._replace(row=move(cause.filename, cause.row))
    if fix is not None and fix.edits:
        fix = fix._replace(edits=tuple(edit._replace(span=_span(name, edit.span, move)) for edit in fix.edits))
    return finding._replace(span=_span(name, finding.span, move), fix=fix, cause=cause)


def _span(name: str, span: Span, move: Move) -> Span:
    start, end = (place._replace(row=move(name, place.row)) for place in span)
    return Span(start, end)


def _functions(functions: Iterable[_Function], move: Move) -> tuple[_Function, ...]:
    return tuple(item._replace(row=move(item.filename, item.row)) for item in functions)
