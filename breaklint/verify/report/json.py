"""The report as JSON, in the documented shape."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from enum import Enum
from typing import Any

from breaklint.dynamo.events import Break
from breaklint.model import Finding
from breaklint.source.shown_paths import shown
from breaklint.verify.judge.results import ArmReport, FixReport, Made, Speedup, TargetReport, VerifyReport

NOT_SAVED = ("environment", "proven")
"""What of a target is no part of its saved report."""


def write(report: VerifyReport) -> str:
    """One JSON object, indented, ending in a newline."""
    return json.dumps(as_dict(report), indent=2, allow_nan=False) + "\n"


def line(report: VerifyReport) -> str:
    """The same in one line."""
    return json.dumps(as_dict(report), separators=(",", ":"), allow_nan=False) + "\n"


def as_dict(report: VerifyReport) -> dict[str, Any]:
    """The report as plain containers."""
    run = {"run": asdict(report.run)} if report.run else {}
    head = {"environment": report.environment, "options": report.options, **run}
    return {**head, "targets": [_target(target) for target in report.targets]}


def _target(target: TargetReport) -> dict[str, Any]:
    saved = {name: value for name, value in _plain(target).items() if name not in NOT_SAVED}
    return {**saved, **_speed(target.speedup), "seconds": round(target.seconds, 3)}


def _plain(value: Any) -> Any:
    """A value as JSON has it: paths are shortened, and a number that is not finite is none."""
    if isinstance(value, Finding | FixReport):
        return _finding(value) if isinstance(value, Finding) else _fix(value)
    if isinstance(value, float | Enum):
        return value.value if isinstance(value, Enum) else value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if not is_dataclass(value):
        return value
    told = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if "filename" in told:
        told["filename"] = shown(told["filename"])
    if isinstance(value, ArmReport):
        told["samples_ms"] = [ms for ms in told["samples_ms"] if ms is not None]
    if isinstance(value, Made):
        lines = [[[shown(filename), row] for filename, row in graph["lines"]] for graph in value.graphs]
        told["graphs"] = [graph | {"lines": each} for graph, each in zip(told["graphs"], lines, strict=True)]
    if isinstance(value, Break) and value.called_from:
        told["called_from"] = {"filename": shown(value.called_from[0]), "row": value.called_from[1]}
    return told


def _fix(fix: FixReport) -> dict[str, Any]:
    offered = fix.finding.fix
    applicability = offered.applicability.value if offered else None
    own = {f.name: _plain(getattr(fix, f.name)) for f in fields(fix) if f.name not in ("finding", "speedup")}
    return {**_finding(fix.finding), "applicability": applicability, **own, **_speed(fix.speedup)}


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "filename": shown(finding.filename),
        "row": finding.span.start.row,
        "end_row": finding.span.end.row,
        "dynamo": list(finding.dynamo),
    }


def _speed(speed: Speedup | None) -> dict[str, Any]:
    return {"speedup": speed.ratio if speed else None, "interval": list(speed.interval) if speed else None}
