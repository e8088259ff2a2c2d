"""Results of a file whose findings lie in other files, with new rows after changes above them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from breaklint.lint.cache_files import to_json
from breaklint.model import EagerCall, Entry, FileResult, Finding, Forward, Span

Range = tuple[int, int, int]  # first row, last row, and the number of rows by which they have moved
_Move = Callable[[str, int], int]  # gets a file name and a row, and returns the new row; KeyError if there is none
_Function = TypeVar("_Function", Entry, Forward, EagerCall)
_ROW_IN_WORDS = re.compile(r"\blines? \d")


def moved(
    result: FileResult, ranges: Mapping[str, Sequence[Range | None]], absolute: Callable[[str], str]
) -> FileResult | None:
    """The result with new rows in files, by absolute path, of which ranges of rows have moved.

    None if it names another row of these files, or a row in words.
    """
    text = to_json(result)
    files = {file for file in ranges if os.path.basename(file) in text}
    if any(f"{os.path.basename(file)}:" in text for file in files) or (files and _ROW_IN_WORDS.search(text)):
        return None

    def move(filename: str, row: int) -> int:
        file = absolute(filename)
        if file not in files:
            return row
        for first, last, distance in filter(None, ranges[file]):
            if first <= row <= last:
                return row + distance
        raise KeyError(row)

    try:
        return _moved(result, move) if files else result
    except KeyError:
        return None


def _moved(result: FileResult, move: _Move) -> FileResult:
    return result._replace(
        findings=tuple(_finding(finding, move) for finding in result.findings),
        silenced=tuple((name, _span(name, span, move)) for name, span in result.silenced),
        captured=tuple((name, _span(name, span, move), code) for name, span, code in result.captured),
        entries=_functions(result.entries, move),
        forwards=_functions(result.forwards, move),
        eager_calls=_functions(result.eager_calls, move),
    )


def _finding(finding: Finding, move: _Move) -> Finding:
    name, fix, cause = finding.filename, finding.fix, finding.cause
    if cause is not None:
        cause = cause._replace(row=move(cause.filename, cause.row))
    if fix is not None and fix.edits:
        fix = fix._replace(edits=tuple(edit._replace(span=_span(name, edit.span, move)) for edit in fix.edits))
    return finding._replace(span=_span(name, finding.span, move), fix=fix, cause=cause)


def _span(name: str, span: Span, move: _Move) -> Span:
    start, end = (place._replace(row=move(name, place.row)) for place in span)
    return Span(start, end)


def _functions(functions: Iterable[_Function], move: _Move) -> tuple[_Function, ...]:
    return tuple(item._replace(row=move(item.filename, item.row)) for item in functions)
