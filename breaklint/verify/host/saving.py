"""Results kept as they come, one line a target, so that a run can be taken up again."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from breaklint.errors import BreaklintError, UsageError
from breaklint.project.text_scan import imports
from breaklint.source.decoding import read_source
from breaklint.verify.judge.results import TargetReport, VerifyReport
from breaklint.verify.options import VerifyOptions
from breaklint.verify.report import json
from breaklint.verify.report.json import read
from breaklint.verify.targets.targets import find_target

_NO_MATTER = (
    "settings",
    "nearest",
    "entries",
    "python",
    "devices",
    "jobs",
    "timeout_s",
)


def asked(options: VerifyOptions) -> dict[str, Any]:
    """The options that a result depends on, as reports keep them."""
    chosen = {name: value for name, value in asdict(options).items() if name not in _NO_MATTER}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in chosen.items()}


class Results:
    """A file of JSON Lines (none for ""), each a report of one target.

    Targets that it already has under the same options are not run again.

    Raises:
        UsageError: it cannot be read or written, or holds results for other options.
    """

    def __init__(self, file: str, options: VerifyOptions) -> None:
        self._file, self._options, self._lock = file, asked(options), threading.Lock()
        self._entries = options.entries
        known = read(file) if file and Path(file).is_file() and Path(file).stat().st_size else VerifyReport({}, ())
        self.done: dict[str, TargetReport] = {target.target: target for target in known.targets}
        if known.options and known.options != self._options:
            differ = ", ".join(name for name in self._options if known.options.get(name) != self._options[name])
            raise UsageError(f"{file}: made with other options ({differ}); give the same ones, or another file")
        if file:
            self._write("w", list(self.done.values()))

    def add(self, report: TargetReport) -> None:
        """Keep one more report."""
        if self._file:
            self._write("a", [report])

    def missing(self, names: Sequence[str]) -> list[str]:
        """The targets still to be run; models of libraries come first, which take longer to import and to compile."""
        return sorted(
            (name for name in names if name not in self.done), key=lambda name: not self._uses_libraries(name)
        )

    def _uses_libraries(self, name: str) -> bool:
        """Does its file import more than torch and what comes with Python?"""
        try:
            text = read_source(str(find_target(name, self._entries).path)).text
        except BreaklintError:  # which is told when it is run
            return False
        tops = {each.module.partition(".")[0] for each in imports(text) if not each.level}
        return not tops <= {*sys.stdlib_module_names, "torch"}

    def _write(self, mode: str, reports: list[TargetReport]) -> None:
        lines = [json.line(VerifyReport(report.environment, (report,), None, self._options)) for report in reports]
        try:
            with self._lock, Path(self._file).open(mode, encoding="utf-8") as out:
                out.writelines(lines)
        except OSError as error:
            raise UsageError(f"{self._file}: cannot be written: {error.strerror or error}") from error
