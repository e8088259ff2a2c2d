"""Results of checked files, cached in the folder `.breaklint_cache`.

There is one file for each set of settings; its name depends on breaklint, Python, the settings and the rule cards. A
result is reused if all else on which it rests is the same: the file itself, the files of all modules that were looked
for, and in each imported file the definitions that were looked up and the code outside of definitions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from breaklint.lint.cache_files import FileStates, read, write
from breaklint.lint.cache_key import key_of
from breaklint.lint.cache_modules import CachedModules
from breaklint.lint.cached_results import CachedResults
from breaklint.lint.calling_files import Work, errors_as_notices
from breaklint.lint.plain_data import to_json
from breaklint.lint.workers import Outcome, Progress, Worker, work_on


class Cache:
    """The results for a worker's settings."""

    def __init__(self, location: Path, worker: Worker) -> None:
        self._location = location
        source = read(location)
        head = next(source, "")
        files, folders = json.loads(head) if head else ({}, None)
        self._files = FileStates(files)
        self._modules = CachedModules(worker, folders)
        self.results = CachedResults(next(source, ""), self._files, self._modules)

    def save(self) -> None:
        """Write the cache, if there is anything new in it."""
        if not self._files.have_news:
            return
        results = self.results
        folders = self._modules.current(results.roots())
        files = {path: state for path in results.files() if (state := self._files.now(path)) is not None}
        write(self._location, ([to_json([files, folders])], results.to_write()))


class CachedRun:
    """The caches of some work."""

    def __init__(self, folder: Path, work: Sequence[Work]) -> None:
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
