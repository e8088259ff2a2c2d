"""A run with cached results and output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib.util import source_hash
from pathlib import Path

from breaklint.lint.cache import Cache
from breaklint.lint.cache_files import stamp, to_json
from breaklint.lint.cache_key import key_of
from breaklint.lint.calling_files import Work, errors_as_notices
from breaklint.lint.results import Report
from breaklint.lint.workers import Outcome, Progress, work_on


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
