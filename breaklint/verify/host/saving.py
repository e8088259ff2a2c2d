"""The file of `--results`: a line for each target as it is finished, so that a run can be continued."""

from __future__ import annotations

import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from breaklint.errors import UsageError
from breaklint.verify.judge.results import TargetReport, VerifyReport
from breaklint.verify.options import VerifyOptions
from breaklint.verify.report import json
from breaklint.verify.report.json import read

_NO_EFFECT = (
    "settings",
    "nearest",
    "entries",
    "python",
    "devices",
    "jobs",
    "timeout_s",
)


def result_options(options: VerifyOptions) -> dict[str, Any]:
    """The options that a result depends on, as stored in reports."""
    values = {name: value for name, value in asdict(options).items() if name not in _NO_EFFECT}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


class Results:
    """The JSON Lines of `--results` (no file for ""): targets in it are not run again under the same options."""

    def __init__(self, file: str, options: VerifyOptions) -> None:
        self._file, self._options, self._lock = file, result_options(options), threading.Lock()
        earlier = read(file) if file and Path(file).is_file() and Path(file).stat().st_size else VerifyReport({}, ())
        self.reports: dict[str, TargetReport] = {target.target: target for target in earlier.targets}
        if earlier.options and earlier.options != self._options:
            differ = ", ".join(name for name in self._options if earlier.options.get(name) != self._options[name])
            raise UsageError(f"{file}: made with other options ({differ}); give the same ones, or another file")
        if file:
            self._write("w", list(self.reports.values()))

    def add(self, report: TargetReport) -> None:
        """Keep one more report."""
        if self._file:
            self._write("a", [report])

    def _write(self, mode: str, reports: list[TargetReport]) -> None:
        lines = [json.line(VerifyReport(report.environment, (report,), None, self._options)) for report in reports]
        try:
            with self._lock, Path(self._file).open(mode, encoding="utf-8") as out:
                out.writelines(lines)
        except OSError as error:
            raise UsageError(f"{self._file}: cannot be written: {error.strerror or error}") from error
