"""Reports of earlier runs, in the cache's folder: used again while nothing that they came from has changed.

They are JSON, from which nothing is run; and one that came with untrusted files, or was copied, is not found, since
its name depends on the folder that it was made in.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from breaklint.errors import BreaklintError
from breaklint.lint.cache_files import make_folder, read, write
from breaklint.verify.host.signatures import changed_since, circumstances, identity, of_files, still_holds
from breaklint.verify.judge.breaks import NO_BREAK_HERE
from breaklint.verify.judge.results import TargetReport, Verdict, VerifyReport
from breaklint.verify.options import VerifyOptions
from breaklint.verify.report import json as as_json
from breaklint.verify.report.reading import from_data
from breaklint.verify.targets.targets import find_target

MOST = 1000
"""So many reports are kept, those that were written last."""
SUFFIX = ".verify"
TICK_S = 0.1
"""Seconds within which a file system may give two moments one time."""
_OPEN = (Verdict.ERROR, Verdict.INCONCLUSIVE)


class Kept:
    """What is known of targets under some options.

    Args:
        folder: the cache's.
        options: those of this run.
        fresh: are all to be measured again?
    """

    def __init__(self, folder: Path, options: VerifyOptions, fresh: bool = False) -> None:
        self._folder, self._options, self._fresh = folder, options, fresh
        self._under = ""
        with suppress(OSError):
            make_folder(folder)
            self._under = circumstances(options, folder)

    def known(self, names: Sequence[str]) -> dict[str, TargetReport]:
        """The reports that still hold, by target."""
        if self._fresh:
            return {}
        found = {name: self._report(name) for name in names}
        return {name: report for name, report in found.items() if report is not None}

    def last_s(self, name: str) -> float | None:
        """Seconds that the target took when it was last run, whatever has changed in it since."""
        with suppress(TypeError, ValueError, KeyError):
            return float(self._data(name)["seconds"])
        return None

    def add(self, report: TargetReport) -> None:
        """Keep how long it took, and the report itself where the same would come out again."""
        location = self._location(report.target)
        if location is None or not report.files:
            return
        files = of_files(report.files)
        holds = is_final(report) and not changed_since(files, time.time() - report.seconds - TICK_S)
        whole = as_json.as_dict(VerifyReport(report.environment, (report,))) if holds else None
        data = {"seconds": report.seconds, "files": files if holds else {}, "report": whole}
        write(location, [json.dumps(data, separators=(",", ":"), allow_nan=False)], MOST)

    def _report(self, name: str) -> TargetReport | None:
        data = self._data(name)
        try:
            if not data.get("report") or not data["files"] or not still_holds(data["files"]):
                return None
            (report,) = from_data(data["report"]).targets
        except (ValueError, KeyError, TypeError, AttributeError):  # of another structure than its checksum promises
            return None
        return replace(report, from_cache=True) if report.target == name else None

    def _data(self, name: str) -> dict[str, Any]:
        location = self._location(name)
        return (read(location) if location else None) or {}

    def _location(self, name: str) -> Path | None:
        try:
            target = find_target(name, self._options.entries)
        except BreaklintError:
            return None
        return self._folder / f"{identity(target, self._under)}{SUFFIX}" if self._under else None


def is_final(report: TargetReport) -> bool:
    """Would it come out the same again? Not what noise, time or memory has left open, or what an arm's end has."""
    if report.verdict in _OPEN or any(arm.error for arm in report.arms.values()):
        return False
    return not any(fix.verdict in _OPEN and fix.why != NO_BREAK_HERE for fix in report.fixes)
