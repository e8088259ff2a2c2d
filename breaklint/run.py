"""Many files: check or fix each, in a pool of processes, then merge what was found and write what was fixed."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from breaklint.errors import BreaklintError, RuleBug, SourceError
from breaklint.merging import merge, total, unique
from breaklint.model import FileResult, Finding, Settings
from breaklint.source.decoding import SourceText, decode, read_bytes
from breaklint.source.discovery import discover

if TYPE_CHECKING:
    from breaklint.engine import Engine

_POOL_FROM = 8  # files; below, starting processes costs more than it saves
_CHUNK = 16  # files a worker takes at a time: neighbours import each other
_COLLECT = 2_000_000  # bytes of checked source between two collections of garbage


@dataclass(frozen=True, slots=True)
class Mode:
    """What to do with a file: look; or fix it, with `unsafe` fixes too; `write` puts the new text into the file."""

    fix: bool = False
    unsafe: bool = False
    write: bool = False


LOOK = Mode()


@dataclass(frozen=True, slots=True)
class Change:
    """A file that fixes change, and its new text."""

    source: SourceText
    text: str


@dataclass(frozen=True, slots=True)
class RunResult:
    """What became of all files.

    `files` counts the files looked at and `fixed` the applied fixes by rule code; `errors` and `notices` are lines for
    the user; `texts` holds the text of what came from no file.
    """

    files: int = 0
    findings: tuple[Finding, ...] = ()
    errors: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    fixed: tuple[tuple[str, int], ...] = ()
    changes: tuple[Change, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Outcome:
    """What a worker sends back about one file."""

    result: FileResult
    change: Change | None = None
    root: str = ""  # where the imports of the file begin, and what became of them; for the cache
    asked: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(slots=True)
class _Worker:
    """Checks files one after the other; lives once a process, so that followed imports are read once."""

    settings: Settings
    roots: tuple[str, ...]
    mode: Mode
    _engine: Engine | None = None
    _unswept: int = 0

    def engine(self) -> Engine:
        """The engine, made when it is first needed: it loads every rule."""
        if self._engine is None:
            from breaklint.engine import Engine

            self._engine = Engine(self.settings, [Path(root) for root in self.roots])
        return self._engine

    def file(self, path: str) -> _Outcome:
        """Check or fix the file at `path`."""
        try:
            data = read_bytes(path)
            if not _may_matter(data):
                return _Outcome(FileResult(path))
            self._sweep(len(data))
            return self.source(decode(path, data))
        except (SourceError, RuleBug) as error:  # other errors are no matter of one file
            return _Outcome(FileResult(path, errors=(str(error),)))

    def _sweep(self, size: int) -> None:
        """Collect garbage now and then: Python would do it all the time, though syntax trees are hardly ever any."""
        gc.disable()
        self._unswept += size
        if self._unswept > _COLLECT:
            self._unswept = 0
            gc.collect()

    def source(self, source: SourceText) -> _Outcome:
        """Check or fix a text; raises what the engine raises."""
        engine = self.engine()
        if not self.mode.fix:
            result = engine.check(source.path, source.text)
            project = engine.project
            return _Outcome(result, root=project.root_of(os.path.abspath(source.path)), asked=project.asked)
        result = engine.fix(source.path, source.text, self.mode.unsafe)
        if result.text is None or result.text == source.text:
            return _Outcome(replace(result, text=None))
        return _Outcome(replace(result, text=None), Change(source, result.text))


def run(
    paths: Sequence[str],
    settings: Settings,
    mode: Mode = LOOK,
    jobs: int | None = None,
    force_exclude: bool = False,
    cache: Path | None = None,
) -> RunResult:
    """Check or fix the Python files of `paths`, in up to `jobs` processes (None: one a core).

    A file that cannot be read, parsed or written becomes a line in `errors`, and the run goes on. `cache` is a folder
    in which results of checks are kept for the next run.
    """
    enabled = gc.isenabled()
    try:
        return _run(paths, settings, mode, jobs, force_exclude, cache)
    finally:
        if enabled:
            gc.enable()


def _run(
    paths: Sequence[str], settings: Settings, mode: Mode, jobs: int | None, force_exclude: bool, cache: Path | None
) -> RunResult:
    found = discover(paths, settings.exclude, settings.root, force_exclude)
    roots = tuple(path for path in paths if os.path.isdir(path))
    worker = _Worker(settings, roots, mode)
    if cache is None or mode.fix:
        outcomes = _outcomes(found.files, worker, jobs)
    else:
        outcomes = _remembered(found.files, worker, jobs, cache)
    changes = [outcome.change for outcome in outcomes if outcome.change]
    errors = [*found.errors, *(_write(changes) if mode.write else ())]
    fixed = total(outcome.result.fixed for outcome in outcomes)
    if changes and mode.write:
        # Fixes move lines, and files call each other: what remains is what a second look finds.
        outcomes = _outcomes(found.files, _Worker(settings, roots, LOOK), jobs)
    results = [outcome.result for outcome in outcomes]
    return RunResult(
        files=len(found.files),
        findings=merge(results, found.files),
        errors=unique(errors, *(result.errors for result in results)),
        notices=unique(*(result.notices for result in results)),
        fixed=fixed,
        changes=tuple(changes),
    )


def run_text(data: bytes, filename: str, settings: Settings, mode: Mode = LOOK) -> RunResult:
    """Check or fix the bytes of one source that need not be a file; `filename` is what findings call it."""
    try:
        source = decode(filename, data)
        outcome = _Worker(settings, (), mode).source(source) if _may_matter(data) else _Outcome(FileResult(filename))
    except (SourceError, RuleBug) as error:
        return RunResult(files=1, errors=(str(error),))
    result, change = outcome.result, outcome.change
    return RunResult(
        files=1,
        findings=merge([result], [filename]),
        errors=result.errors,
        notices=result.notices,
        fixed=total([result.fixed]),
        changes=(change,) if change else (),
        texts=((filename, change.text if change else source.text),),
    )


def _may_matter(data: bytes) -> bool:
    if b"torch" not in data:
        return False  # without the engine: files without torch shall cost nothing
    from breaklint.engine import Engine

    return Engine.may_matter(data)


def _remembered(files: Sequence[str], worker: _Worker, jobs: int | None, folder: Path) -> list[_Outcome]:
    """What became of the files, looking only at those that are not as they were in the run before."""
    from breaklint.cache import Cache

    cache = Cache(folder, worker.settings, worker.roots)
    known = {path: result for path in files if (result := cache.get(path)) is not None}
    looked_at = _outcomes([path for path in files if path not in known], worker, jobs)
    for outcome in looked_at:
        cache.put(outcome.result, outcome.root, outcome.asked)
    cache.save()
    fresh = {outcome.result.filename: outcome for outcome in looked_at}
    return [fresh[path] if path in fresh else _Outcome(known[path]) for path in files]


def _outcomes(files: Sequence[str], worker: _Worker, jobs: int | None) -> list[_Outcome]:
    jobs = min(jobs or _cores(), -(-len(files) // _CHUNK))
    if jobs < 2 or len(files) < _POOL_FROM:
        return [worker.file(path) for path in files]
    return list(_pooled(files, worker, jobs))


def _pooled(files: Sequence[str], worker: _Worker, jobs: int) -> Iterator[_Outcome]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    fork = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    if fork:
        worker.engine()  # once here instead of once in every process
    context = multiprocessing.get_context("fork" if fork else "spawn")
    try:
        with ProcessPoolExecutor(jobs, context, _start, (worker,)) as pool:
            yield from pool.map(_in_worker, files, chunksize=_CHUNK)
    except BrokenProcessPool as error:
        raise BreaklintError("a worker process died (out of memory?): -j 1 shows at which file") from error


_worker: _Worker | None = None


def _start(worker: _Worker) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears Ctrl-C and ends the pool
    _worker = worker


def _in_worker(path: str) -> _Outcome:
    assert _worker is not None
    return _worker.file(path)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _write(changes: Iterable[Change]) -> Iterator[str]:
    from breaklint.source.writing import write_source

    for change in changes:
        try:
            write_source(change.source, change.text)
        except BreaklintError as error:
            yield str(error)
