"""Results of checked files and the output of runs, cached in the folder `.breaklint_cache`.

There is one file for each set of settings; its name depends on breaklint, Python, the settings and the rule cards. A
result is reused if all else on which it rests is the same: the file itself, the files of all modules that were looked
for, and in each imported file the definitions that were looked up and the code outside of definitions. The output of a
run is reused if no file and no folder has changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from importlib.util import source_hash
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from breaklint.lint.cache_files import FileStates, read, stamp, to_json, write
from breaklint.lint.cache_key import key_of
from breaklint.lint.cache_modules import CachedModules
from breaklint.lint.calling_files import Work, errors_as_notices
from breaklint.lint.plain_data import from_json
from breaklint.lint.results import Report
from breaklint.lint.workers import Outcome, Progress, Worker, work_on

if TYPE_CHECKING:
    from breaklint.lint.cached_results import CachedResults

_MOST_REPORTS: Final = 3  # of the newest requests: all are decoded to find one


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
        from breaklint.lint.cached_results import CachedResults

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


class CachedRun:
    """The caches of some work; the first one has the output."""

    def __init__(self, folder: Path, work: Sequence[Work]) -> None:
        self._work = work
        self._names = {item.worker: key_of(item.worker) for item in work}
        workers = {name: worker for worker, name in self._names.items()}
        self._caches = {name: Cache(folder / f"{name}.json", worker) for name, worker in workers.items()}

    def outcomes(self, work: Work, jobs: int | None, progress: Progress | None) -> Iterable[Outcome]:
        """The results of the files; only files without a cached result are checked."""
        worker, files, quiet = work
        cached = self._caches[self._names[worker]].results
        outcomes = {path: outcome for path in files if (outcome := cached.get(path, worker.reported)) is not None}
        changed = [path for path in files if path not in outcomes]
        for outcome in work_on(changed, worker, jobs, progress):
            outcomes[outcome.result.filename] = cached.put(outcome)
        results = [outcomes[path] for path in files]
        return map(errors_as_notices, results) if quiet else results

    def save(self) -> None:
        """Write the caches that have changed."""
        for cache in self._caches.values():
            cache.save()

    def report(self, request: object, others: Sequence[str], compute: Callable[[], Report]) -> Report:
        """The cached output if nothing has changed on which it rests, else the computed one.

        It rests on `request`, which is JSON, and on the files `others`, besides those of the work.
        """
        first, *more = self._caches.values()
        files = [[self._names[item.worker], item.files, item.quiet] for item in self._work]
        key = source_hash(to_json([files, request]).encode()).hex()
        stamps = [*map(stamp, others)]  # before they are read

        def state() -> list[list[int] | None]:
            return [*stamps, *(stamp(str(cache.location)) for cache in more)]

        result = first.report(key, state()) if all(cache.is_unchanged for cache in more) else None
        if result is None:
            result = compute()
            for cache in more:
                cache.save()
            every = ((worker, path) for worker, files, _ in self._work for path in files)
            if all(path in self._caches[self._names[worker]].results for worker, path in every):
                first.add_report(key, state(), result)
        self.save()
        return result
