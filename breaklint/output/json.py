"""A JSON list in the shape of ruff's, with further keys."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from breaklint.model import Cause, Edit, Finding, Fix, Position

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult


def render(result: RunResult, color: bool = False) -> str:
    """The findings as a list of objects, a line each: the encoder of Python that indents takes five times as long."""
    lines = ",\n".join(json.dumps(as_object(finding)) for finding in result.findings)
    return f"[\n{lines}\n]\n" if lines else "[]\n"


def as_object(finding: Finding) -> dict[str, Any]:
    """A finding as the JSON object that users rely on."""
    return {
        "filename": finding.filename,
        **_cell(finding),
        "location": _position(finding.span.start),
        "end_location": _position(finding.span.end),
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "effect": finding.effect.value,
        "severity": finding.severity.value,
        "function": finding.function,
        "dynamo": list(finding.dynamo),
        "when": finding.when,
        **({"torch": list(finding.torch), "holds": finding.holds} if finding.torch else {}),
        "note": finding.note,
        "help": finding.help,
        "url": finding.url,
        "fix": _fix(finding.fix) if finding.fix else None,
        "no_fix": finding.no_fix,
        "observed": observation(finding),
        "cause": _cause(finding.cause) if finding.cause else None,
        "frame": "skipped" if finding.cost.skipped else "",
    }


def observation(finding: Finding) -> dict[str, Any] | None:
    """The observed state."""
    if finding.observed is None:
        return None
    state, torch, by = finding.observed
    return {"state": state, "torch": torch, "by": list(by)}


def _cause(cause: Cause) -> dict[str, Any]:
    cell = {"cell": cause.cell} if cause.cell else {}
    return {"filename": cause.filename, **cell, "row": cause.row, "source": cause.source}


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "kind": fix.kind,
        "applicability": fix.applicability.value,
        "message": fix.message,
        "why": fix.why,
        "edits": [_edit(edit) for edit in fix.edits],
    }


def _edit(edit: Edit) -> dict[str, Any]:
    return {
        **_cell(edit),
        "location": _position(edit.span.start),
        "end_location": _position(edit.span.end),
        "content": edit.content,
    }


def _position(position: Position) -> dict[str, int]:
    return {"row": position.row, "column": position.column}


def _cell(placed: Finding | Edit) -> dict[str, int]:
    """The number of the cell, in a notebook."""
    return {"cell": placed.cell} if placed.cell else {}
