"""Reviewdog's diagnostic format, with fixes as suggestions.

https://github.com/reviewdog/reviewdog/tree/master/proto/rdf
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from breaklint.lint.fingerprints import relative
from breaklint.lint.places import place
from breaklint.model import Applicability, Finding, Position, Severity, Span
from breaklint.output.by_line import source_lines
from breaklint.output.wording import message_of

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING"}


def render(result: RunResult, color: bool = False) -> str:
    """A diagnostic result with one diagnostic per finding."""
    texts = dict(result.texts)
    places = dict.fromkeys(map(place, result.findings))
    lines = {name: source_lines(name, texts) for name in places}
    diagnostics = [_diagnostic(finding, lines[place(finding)]) for finding in result.findings]
    return json.dumps({"source": {"name": "breaklint"}, "diagnostics": diagnostics}, indent=2) + "\n"


def _diagnostic(finding: Finding, lines: Sequence[str]) -> dict[str, Any]:
    code = {"value": finding.code} | ({"url": finding.url} if finding.url else {})
    if finding.cell:  # its rows are none of the file's
        message = f"cell {finding.cell}, row {finding.span.start.row}: {message_of(finding)}"
        location: dict[str, Any] = {"path": relative(finding.filename)}
        return {"message": message, "location": location, "severity": _SEVERITIES[finding.severity], "code": code}
    diagnostic: dict[str, Any] = {
        "message": message_of(finding),
        "location": {"path": relative(finding.filename), "range": _range(finding.span, lines)},
        "severity": _SEVERITIES[finding.severity],
        "code": code,
    }
    # A suggestion is applied by one click: only what is safe may be offered so, and reviewdog takes one range each.
    if finding.fix and finding.fix.applicability is Applicability.SAFE and len(finding.fix.edits) == 1:
        diagnostic["suggestions"] = [
            {"range": _range(edit.span, lines), "text": edit.content} for edit in finding.fix.edits
        ]
    return diagnostic


def _range(span: Span, lines: Sequence[str]) -> dict[str, dict[str, int]]:
    return {"start": _position(span.start, lines), "end": _position(span.end, lines)}


def _position(position: Position, lines: Sequence[str]) -> dict[str, int]:
    """Reviewdog counts columns in bytes of UTF-8."""
    row, column = position
    before = lines[row - 1][: column - 1] if row <= len(lines) else ""
    wider = len(before.encode("utf-8", "surrogatepass")) - len(before)
    return {"line": row, "column": column + wider}
