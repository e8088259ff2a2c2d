"""Looking at files one after the other, in one process or in a pool of them."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from importlib.util import source_hash  # hashlib takes 4 MB and 10 ms to import
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from breaklint.errors import RuleBug, SourceError
from breaklint.lint.file_guard import guard_file
from breaklint.lint.time_limit import seconds_per_file
from breaklint.model import FileResult, Settings
from breaklint.project.screen import may_matter
from breaklint.source.decoding import decode, read_bytes, read_source
from breaklint.source.source_text import SourceText
from breaklint.source.syntax import parse

if TYPE_CHECKING:
    from breaklint.lint.engine import Engine

FEW = 7  # files; for so many, starting processes costs more than it saves
_CHUNK = 16  # files a worker takes at a time: neighbours import each other
_COLLECT = 2_000_000  # bytes of checked source between two collections of garbage
_EARLY = 2  # files of a long run that are checked before its processes start
Progress = Callable[[int, int, str], None]  # gets the number of finished files, the total, and the next file


class Mode(NamedTuple):
    """The task for a file: check, or fix, with `unsafe` fixes as well; `write` writes the new text.

    `edits` of fixes are computed only if an output needs them.
    """

    fix: bool = False
    unsafe: bool = False
    write: bool = False
    edits: bool = True


LOOK = Mode()


@dataclass(eq=False, repr=False, slots=True)
class Outcome:
    """The answer of a worker for one file.

    `root` is the folder from which imports of the file are resolved, `imported` the imported files. `reached` are, by
    path of an imported file, the names of its top level that were looked up; None if unknown.
    `digest` is that of the file, if it may be fixed.
    """

    result: FileResult
    root: str = ""
    imported: Mapping[str, str | None] = field(default_factory=dict)
    reached: Mapping[str, Set[str]] | None = None
    digest: bytes = b""


@dataclass(eq=False, repr=False, slots=True)
class Worker:
    """Checks files one after the other; lives once a process, so that followed imports are read once.

    `reported` are the absolute paths of the files whose findings it reports.
    """

    settings: Settings
    roots: tuple[str, ...]
    mode: Mode
    seconds: float = field(default_factory=seconds_per_file)
    reported: frozenset[str] | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    _engine: Engine | None = None
    _unswept: int = 0

    def engine(self) -> Engine:
        """The engine, created at its first use, because it loads every rule."""
        if self._engine is None:
            from breaklint.lint.engine import Engine

            roots = [Path(root) for root in self.roots]
            read = self._read if self.texts else None
            self._engine = Engine(self.settings, roots, read, self.mode.edits, self.reported)
        return self._engine

    def with_texts(self, texts: Mapping[str, str]) -> Worker:
        """A new worker, for which files have other texts than they do; by path."""
        places = {
            place: text for path, text in texts.items() for place in (os.path.abspath(path), os.path.realpath(path))
        }
        return replace(self, texts=places, _engine=None)

    def _read(self, path: str) -> str:
        text = self.texts.get(os.path.abspath(path))
        return read_source(path).text if text is None else text

    def file(self, path: str) -> Outcome:
        """Check or fix the file at `path`."""
        try:
            data = read_bytes(path)
            self._sweep(len(data))
            source = decode(path, data)
            return self.source(source._replace(text=self.texts.get(os.path.abspath(path), source.text)))
        except (SourceError, RuleBug) as error:  # other errors are not specific to one file
            return Outcome(FileResult(path, errors=(str(error),)))

    def _sweep(self, size: int) -> None:
        """Collect the garbage of the last files, which is little: most is freed with its last reference.

        Otherwise Python would search all trees for cycles. Only objects since this point are searched.
        """
        gc.disable()
        self._unswept += size
        if self._unswept > _COLLECT:
            self._unswept = 0
            if self._engine is not None:
                self._engine.forget()
            gc.collect(0)

    def source(self, source: SourceText) -> Outcome:
        """Check or fix a text.

        SourceError when it cannot be done, also within the limit of time; RuleBug when breaklint itself fails at it.
        """
        with guard_file(source.path, self.seconds, self._start_over):
            return self._look_at(source)

    def _start_over(self) -> None:
        self._engine = None  # it was left in the middle of its work
        gc.collect()  # trees and values are cyclic

    def _look_at(self, source: SourceText) -> Outcome:
        patterns, digest = self.settings.entry_points, source_hash(source.data) if self.mode.fix else b""
        if not may_matter(source.text, patterns):  # without the engine, whose start costs more than the file
            parse(source.path, source.text)
            result = FileResult(source.path, uncompiled="torch" in source.text, unmatched=patterns)
            return Outcome(result, digest=digest)
        engine = self.engine()
        result = engine.check(source.path, source.text)
        project = engine.project
        root = project.folders.root_of(os.path.abspath(source.path))
        is_known = not self.settings.python_rules  # rules in Python may read any file
        reached = {os.path.abspath(path): names for path, names in project.reached.items()} if is_known else None
        return Outcome(result, root, project.imported, reached, digest)


def work_on(
    files: Sequence[str], worker: Worker, jobs: int | None, progress: Progress | None = None
) -> Iterator[Outcome]:
    """The results of the files, in any order; in up to `jobs` processes (None: one per core).

    `progress` is called before each file.
    """
    jobs = min(jobs or usable_cores(), -(-len(files) // _CHUNK))
    order = files
    outcomes: Iterator[Outcome] = map(worker.file, files)
    if jobs >= 2 and len(files) > FEW:
        early = slice(middle := len(files) // 2, middle + min(len(files) // 64, _EARLY))
        order = [*files[early], *files[: early.start], *files[early.stop :]]
        outcomes = _pool(order, len(files[early]), worker, jobs)
    for count, path in enumerate(order):
        if progress is not None:
            progress(count, len(order), path)
        yield next(outcomes)
    yield from outcomes  # none is left: their processes end


def _pool(files: Sequence[str], early: int, worker: Worker, jobs: int) -> Iterator[Outcome]:
    """The results of the files in order.

    The processes share all that the `early` ones load: as most others they import, these come from the middle of a run.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    fork = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    context = multiprocessing.get_context("fork" if fork else "spawn")
    count = 0
    if fork:
        if worker.mode.edits:
            import breaklint.fixes.writer  # noqa: F401 - LibCST
        worker.engine()
    if fork and early:
        trial = multiprocessing.get_context("fork").Process(target=_try, args=(worker, files[:early]), daemon=True)
        trial.start()
        trial.join()
        if trial.exitcode == 0:  # none of them ends the process that checks it
            yield from map(worker.file, files[:early])
            count = early
    try:
        with ProcessPoolExecutor(jobs, context, _start, (worker,)) as pool:
            for outcome in pool.map(_in_worker, files[count:], chunksize=_CHUNK):
                yield outcome
                count += 1
    except BrokenProcessPool:
        for path in files[count:]:  # one at a time, to find which file it was
            try:
                with ProcessPoolExecutor(1, context, _start, (worker,)) as pool:
                    yield pool.submit(_in_worker, path).result()
            except BrokenProcessPool:
                error = f"{path}: the process that checked it died (out of memory?): exclude it"
                yield Outcome(FileResult(path, errors=(error,)))


_worker: Worker | None = None


def _start(worker: Worker) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears Ctrl-C and ends the pool
    gc.freeze()  # objects of the parent, whose pages a collection would copy
    _worker = worker


def _try(worker: Worker, files: Sequence[str]) -> None:
    _start(worker)
    for path in files:
        worker.file(path)


def _in_worker(path: str) -> Outcome:
    assert _worker is not None
    return _worker.file(path)


def usable_cores() -> int:
    """How many cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
