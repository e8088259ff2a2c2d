"""Reports as JSON, in the documented shape, and back: one report a file, or one a line."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from breaklint.errors import UsageError
from breaklint.lint.plain_data import from_json
from breaklint.source.shown_paths import shown
from breaklint.verify.judge.results import VerifyReport

NOT_SAVED = ("environment", "proven")
"""Fields of a target that its saved report does not have."""


def write(report: VerifyReport) -> str:
    """One JSON object, indented, ending in a newline."""
    return json.dumps(as_dict(report), indent=2, allow_nan=False) + "\n"


def line(report: VerifyReport) -> str:
    """The same in one line."""
    return json.dumps(as_dict(report), separators=(",", ":"), allow_nan=False) + "\n"


def as_dict(report: VerifyReport) -> dict[str, Any]:
    """The report as plain containers."""
    data: dict[str, Any] = _plain(report)
    for target in data["targets"]:
        for name in NOT_SAVED:
            del target[name]
    return data


def _plain(value: Any) -> Any:
    """A value as JSON has it: paths are shortened, and a number that is not finite is null."""
    if isinstance(value, float | Enum):
        return value.value if isinstance(value, Enum) else value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if not is_dataclass(value):
        return value
    values = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if "filename" in values:
        values["filename"] = shown(values["filename"])
    if values.get("called_from"):
        filename, row = values["called_from"]
        values["called_from"] = {"filename": shown(filename), "row": row}
    return values


def read(file: str) -> VerifyReport:
    """A report from a JSON file or JSON Lines; UsageError if it is none. A last line that was cut off is left out."""
    try:
        text = Path(file).read_text("utf-8")
        return merged(from_data(part) for part in _parts(text))
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{file}: no report of breaklint verify: {error}") from error


def from_data(data: dict[str, Any]) -> VerifyReport:
    """A report from the result of `as_dict`."""
    report = from_json(VerifyReport, data)
    return replace(report, targets=tuple(replace(target, environment=report.environment) for target in report.targets))


def merged(reports: Iterable[VerifyReport]) -> VerifyReport:
    """One report of all targets; the last report of a target counts."""
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
