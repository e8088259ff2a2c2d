"""Saved reports back into objects: the JSON of `report.json`, one report a file or one a line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from breaklint.errors import UsageError
from breaklint.model import Applicability, Effect, Finding, Fix, Position, Severity, Span
from breaklint.verify.judge.plain_data import built
from breaklint.verify.judge.results import FixReport, TargetReport, VerifyReport


def read(file: str) -> VerifyReport:
    """A report from a JSON file, or from JSON Lines, of which a last line that was cut off is left out.

    Raises:
        UsageError: the file cannot be read, or is no report of verify.
    """
    try:
        text = Path(file).read_text("utf-8")
        return merged(from_data(part) for part in _parts(text))
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        lacks = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise UsageError(f"{file}: no report of breaklint verify: {lacks}") from error


def merged(reports: Iterable[VerifyReport]) -> VerifyReport:
    """One report of all targets; a target that comes twice counts as it came last."""
    several = list(reports)
    targets = {target.target: target for report in several for target in report.targets}
    environment: dict[str, Any] = next((report.environment for report in several if report.environment), {})
    options: dict[str, Any] = next((report.options for report in several if report.options), {})
    run = several[0].run if len(several) == 1 else None
    return VerifyReport(environment, tuple(targets.values()), run, options)


def _parts(text: str) -> list[dict[str, Any]]:
    try:
        return [json.loads(text)]
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        whole = lines if text.endswith("\n") else lines[:-1]
        if not whole:
            raise
        return [json.loads(line) for line in whole]


def from_data(data: dict[str, Any]) -> VerifyReport:
    """A report from what `report.json` makes of it.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: it is none.
    """
    targets = tuple(replace(_target(target), environment=data["environment"]) for target in data["targets"])
    return replace(built(VerifyReport, data | {"targets": []}), targets=targets)


def _target(data: dict[str, Any]) -> TargetReport:
    joined = data["findings"]
    confirmed, not_confirmed = (tuple(map(_finding, joined[name])) for name in ("confirmed", "not_confirmed"))
    plain = {**data, "speedup": _speed(data), "fixes": [], "findings": {"missed": joined["missed"]}}
    report = built(TargetReport, plain)
    findings = replace(report.findings, confirmed=confirmed, not_confirmed=not_confirmed)
    return replace(report, fixes=tuple(_fix(fix) for fix in data["fixes"]), findings=findings)


def _fix(data: dict[str, Any]) -> FixReport:
    applicability = data.get("applicability")
    fix = Fix(Applicability(applicability), "", "", ()) if applicability else None
    finding = _finding(data)._replace(fix=fix)
    return built(FixReport, {**data, "speedup": _speed(data), "finding": finding})


def _finding(data: dict[str, Any]) -> Finding:
    """What verify's JSON keeps of a finding: which rule, where."""
    span = Span(Position(data["row"], 1), Position(data.get("end_row", data["row"]), 1))
    name, filename = data["name"], data["filename"]
    dynamo = tuple(data.get("dynamo", ()))
    return Finding(filename, span, data["code"], name, name, Effect.BREAK, Severity.ERROR, "", dynamo)


def _speed(data: dict[str, Any]) -> dict[str, Any] | None:
    return {"ratio": data["speedup"], "interval": data["interval"]} if data.get("speedup") is not None else None
