"""Results of files as JSON, and back."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from breaklint.model import (
    Applicability,
    Cause,
    Cost,
    EagerCall,
    Edit,
    Effect,
    Entry,
    FileResult,
    Finding,
    Fix,
    Forward,
    Position,
    Severity,
    Span,
)

Data = dict[str, Any]
Checked = TypeVar("Checked", Finding, Fix, Edit, Cause, Cost, Forward, EagerCall)
_PLAIN = {"str": str, "int": int}  # the types of fields, as they are written


def to_data(result: FileResult, number: Callable[[Finding], int]) -> Data | None:
    """A result as JSON data, with numbers for its findings; None for a result that cannot be cached."""
    if result == FileResult(result.filename):
        return None
    return {
        "findings": [number(finding) for finding in result.findings],
        "notices": result.notices,
        "silenced": result.silenced,
        "unreported": result.unreported,
        "captured": result.captured,
        "entries": result.entries,
        "uncompiled": result.uncompiled,
        "unfollowed": result.unfollowed,
        "unmatched": result.unmatched,
        "forwards": result.forwards,
        "eager_calls": result.eager_calls,
    }


def from_data(filename: str, data: Data | None, finding: Callable[[int], Finding]) -> FileResult:
    """The result that `to_data` was given. KeyError, TypeError or ValueError for data of another structure."""
    if data is None:
        return FileResult(filename)
    return FileResult(
        filename,
        tuple(finding(number) for number in data["findings"]),
        notices=tuple(map(_text, data["notices"])),
        silenced=tuple((_text(name), _span(span)) for name, span in data["silenced"]),
        unreported=tuple(map(_text, data["unreported"])),
        captured=tuple((_text(name), _span(span), _text(code)) for name, span, code in data["captured"]),
        entries=tuple(map(_entry, data["entries"])),
        uncompiled=data["uncompiled"] is True,
        unfollowed=int(data["unfollowed"]),
        unmatched=tuple((_text(pattern), _text(near)) for pattern, near in data["unmatched"]),
        forwards=tuple(_checked(Forward(*item)) for item in data["forwards"]),
        eager_calls=tuple(_checked(EagerCall(*item)) for item in data["eager_calls"]),
    )


def finding_to_data(finding: Finding) -> Data:
    """A finding as JSON data."""
    data = finding._asdict()
    if finding.fix is not None:
        data["fix"] = {**finding.fix._asdict(), "edits": _edits(finding.fix)}
    return data


def finding_from_data(data: Data) -> Finding:
    """The finding that `finding_to_data` was given. KeyError, TypeError or ValueError for data of another structure."""
    known = {**data, "span": _span(data["span"]), "effect": Effect(data["effect"]), "dynamo": tuple(data["dynamo"])}
    known |= {"torch": tuple(data["torch"]), "observed": None}  # which is joined after the cache
    skipped, hides, graphs, by_default, last, *_ = data["cost"]
    known["cost"] = _checked(Cost(tuple(map(_text, skipped)), hides, graphs, by_default is True, last is True))
    known["cause"] = None if data["cause"] is None else _checked(Cause(*data["cause"]))
    fix = data["fix"]
    finding = Finding(**{**known, "severity": Severity(data["severity"]), "fix": None if fix is None else _fix(fix)})
    return _checked(finding)


def _edits(fix: Fix) -> list[tuple[Span, str]]:
    return [(edit.span, edit.content) for edit in fix.edits]


def _fix(data: Data) -> Fix:
    edits = tuple(_checked(Edit(_span(span), content)) for span, content in data["edits"])
    return _checked(Fix(**{**data, "applicability": Applicability(data["applicability"]), "edits": edits}))


def _span(data: Any) -> Span:
    (row, column), (end_row, end_column) = data
    if {int} != {*map(type, (row, column, end_row, end_column))}:
        raise TypeError(f"no place: {data}")
    return Span(Position(row, column), Position(end_row, end_column))


def _entry(data: Any) -> Entry:
    filename, row, kind, name = data
    if type(row) is not int:
        raise TypeError(f"no row: {row}")
    return Entry(_text(filename), row, _text(kind), _text(name))


def _text(data: Any) -> str:
    if not isinstance(data, str):
        raise TypeError(f"no text: {data}")
    return data


def _checked(value: Checked) -> Checked:
    for name, expected in _plain_fields(type(value)):  # type: ignore[arg-type]
        if type(getattr(value, name)) is not expected:
            raise TypeError(f"{name} is no {expected.__name__}")
    return value


@cache
def _plain_fields(cls: type) -> tuple[tuple[str, type], ...]:
    names = ((name, getattr(annotation, "__forward_arg__", "")) for name, annotation in cls.__annotations__.items())
    return tuple((name, _PLAIN[kind]) for name, kind in names if kind in _PLAIN)
