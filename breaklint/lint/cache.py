"""Results of checked files and the output of runs, cached in the folder `.breaklint_cache`.

There is one file for each set of settings; its name depends on breaklint, Python, the settings and the rule cards. A
result is reused if all else on which it rests is the same: the file itself, the files of all modules that were looked
for, and in each imported file the definitions that were looked up and the code outside of definitions. The output of a
run is reused if no file and no folder has changed.
"""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from breaklint.lint.cache_files import FileStates, read, to_json, write
from breaklint.lint.cache_modules import CachedModules
from breaklint.lint.cached_results import CachedResults
from breaklint.lint.plain_data import from_json
from breaklint.lint.results import Report
from breaklint.lint.workers import Worker

_MOST_REPORTS: Final = 8  # of the newest requests


class Cache:
    """The results for a worker's settings, and the output of runs."""

    def __init__(self, location: Path, worker: Worker) -> None:
        self.location = location
        self._source = read(location)
        head, self._report_text = next(self._source, ""), next(self._source, "")
        files, folders = json.loads(head) if head else ({}, None)
        self._files = FileStates(files)
        self._modules = CachedModules(worker, folders)

    @cached_property
    def is_unchanged(self) -> bool:
        """Whether all files and folders are as they were when the cache was written."""
        return self._modules.are_same and all(map(self._files.is_same, self._files.previous))

    @cached_property
    def results(self) -> CachedResults:
        """The results, which a run reads that has no output."""
        return CachedResults(next(self._source, ""), self._files, self._modules)

    @cached_property
    def _reports(self) -> dict[str, Any]:
        """By request: other data on which the output rests, and the output."""
        result: dict[str, Any] = json.loads(self._report_text or "{}") if self.is_unchanged else {}
        return result

    def report(self, request: str, others: object) -> Report | None:
        """The output for a request if nothing has changed, and `others` is equal."""
        previous, report = self._reports.get(request, (None, None))
        return from_json(Report, report) if report is not None and previous == others else None

    def add_report(self, request: str, others: object, report: Report) -> None:
        """Store the output for a request; `others` is JSON."""
        self._reports.pop(request, None)
        self._reports[request] = others, report
        self._files.have_news = True

    def save(self) -> None:
        """Write the cache, if there is anything new in it."""
        if not self._files.have_news:
            return
        results = self.results
        folders = self._modules.current(results.roots())
        files = {path: state for path in results.files() if (state := self._files.now(path)) is not None}
        reports = {} if folders is None else dict([*self._reports.items()][-_MOST_REPORTS:])
        write(self.location, ([to_json([files, folders])], [to_json(reports)], results.to_write()))
