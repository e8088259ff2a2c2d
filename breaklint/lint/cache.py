"""Results of checked files, cached between runs in the folder `.breaklint_cache`.

A result is used again only while all it came from is as it was: breaklint and Python, the settings, the rule cards,
the file's bytes, and of every module that was looked for on its behalf, in which file it is (or that there is none).
The imported definitions of such a file and its code outside of definitions count, or the whole file if the result names
it. A file whose size and time are unchanged is not read to find that out. A cache that is damaged, or cannot be
written, is as good as none.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache, cached_property
from importlib.util import source_hash  # as in Python's .pyc files: hashlib takes 4 MB and 10 ms to import
from itertools import accumulate
from pathlib import Path
from typing import Any

from breaklint.errors import SourceError
from breaklint.lint.cache_files import TICK, digest_of, digests, read_text, stamp, to_json, write
from breaklint.lint.moving import moved, names_rows, other_files
from breaklint.lint.parts import REST, WHOLE, Part, parts_of
from breaklint.lint.plain_data import reader
from breaklint.lint.workers import Outcome, Worker
from breaklint.model import FileResult, Finding
from breaklint.project.environment import Environment
from breaklint.project.folders import Folders
from breaklint.source.decoding import read_bytes
from breaklint.source.resources import rules_dir

CODE = (".py", ".json")
RestsOn = tuple[dict[str, list[int]], dict[str, str]]  # sizes and times of files, and digests of folders


class Cache:
    """The results of a worker's settings, seen from one working folder.

    Results with edits of fixes are cached apart from those without. If `empty`, no cached result is read. A row of a
    table, such as a finding, is decoded if a result that is used has it.
    """

    def __init__(self, folder: Path, worker: Worker, empty: bool = False) -> None:
        self._location = folder / f"{key_of(worker)}.json"
        self._roots = [os.path.abspath(root) for root in worker.roots]
        self._reported = worker.reported
        self._began = time.time_ns()
        self._files: dict[str, list[Any]] = {}  # path: size, time, digest
        self._listed: dict[str, str] = {}  # of the previous run: the digests of the folders with the modules
        self._modules = _Table()  # root, dotted name, path
        self._parts = _Table()  # path, name of a definition, digest
        self._findings = _Table()
        self._tables = (self._modules, self._parts, self._findings)
        # By path: root, the numbers of the modules, of the parts and of the findings, and the result without findings.
        self._results: dict[str, list[Any]] = {}
        self._texts: dict[str, str] = {}  # the results of the previous run as JSON, by path
        self._shared: dict[int, Finding] = {}  # by number
        self._rows: dict[str, dict[str, list[int]]] = {}  # of the parts of files in which results of others have places
        self._current: dict[str, Mapping[str, Part]] = {}  # the parts of files as they are
        self._placed: set[str] = set()  # files in which new results of others have places
        self._same: dict[str, bool] = {}
        self._noted: dict[str, bool] = {}
        self._held: dict[str, bool] = {}  # by path of a result
        self._folders = Folders()
        self._environment = Environment(worker.settings.environment, self._folders)
        self._above: dict[str, list[str]] = {}  # the folders in which modules are looked for, by root
        self._changed = False
        self._absolute = cache(os.path.abspath)  # keeps links
        if not empty and (text := read_text(self._location)) is not None:
            self._load(text.decode().split("\n"))

    def _load(self, lines: list[str]) -> None:
        """Take the lines of JSON that `save` wrote."""
        self._files, self._listed, *sizes = json.loads(lines[0])
        ends = [*accumulate(sizes, initial=1)]
        for table, start, end in zip(self._tables, ends, ends[1:], strict=False):
            table.texts, table.read = lines[start:end], end - start
        self._rows = json.loads(lines[ends[-1]])
        texts = lines[ends[-1] + 1 : -1]
        self._results = {path: entry for path, *entry in json.loads(f"[{','.join(texts)}]")}
        self._texts = dict(zip(self._results, texts, strict=True))

    def get(self, path: str) -> Outcome | None:
        """The cached result of the file at `path`; None if there is none or something has changed."""
        if path not in self._results or not self._holds(path):
            return None
        result = self._result(path)
        requested = result.unreported if self._reported is None else self._reported.intersection(result.unreported)
        return None if requested else Outcome(result)

    def _result(self, path: str) -> FileResult:
        *_, findings, data = self._results[path]
        result: FileResult = FileResult(path) if data is None else reader(FileResult)(data)
        return result._replace(findings=tuple(map(self._finding, findings)))

    def _holds(self, path: str) -> bool:
        """Whether a check would return the same result now."""
        if path not in self._held:
            self._held[path] = self._compare_result(path, *self._results[path][:3])
        return self._held[path]

    def _compare_result(self, path: str, root: str, modules: list[int], parts: list[int]) -> bool:
        place = self._absolute(path)
        if not self._is_same(place):
            return False
        is_moved = root and not self._folders_are_same and self._folders.root_of(place) != root
        if is_moved or not self._broken_modules.isdisjoint(modules):
            return False
        altered = [self._parts.row(number) for number in self._altered_parts.intersection(parts)]
        return not altered or (all(self._is_current(*part) for part in altered) and self._move(path, altered))

    def _move(self, path: str, altered: Sequence[tuple[str, str, str]]) -> bool:
        """Correct the rows of a result in files of which other parts have changed; False if that is not possible."""
        *numbers, findings, data = self._results[path]
        texts = to_json([data, [self._findings.row(number) for number in findings]])
        files = {file for file, *_ in altered if os.path.basename(file) in texts}
        if not files:
            return True
        if any(names_rows(texts, file) for file in files):
            return False
        names = {(file, name) for file, name, _ in altered}

        def move(filename: str, row: int) -> int:
            if (file := self._absolute(filename)) not in files:
                return row
            for name, (first, last) in self._rows[file].items():
                if first <= row <= last and (file, name) in names:
                    return row - first + self._parts_of(file)[name].first
            raise KeyError(row)

        try:
            result = moved(self._result(path), move)
        except KeyError:
            return False
        self._store(path, numbers, result)
        self._results[path] = json.loads(to_json(self._results[path]))
        return True

    @cached_property
    def _folders_are_same(self) -> bool:
        """Whether all modules are in the same files as in the previous run, because their folders list the same
        names."""
        return bool(self._listed) and all(
            digest_of(self._folders.names(folder)) == digest for folder, digest in self._listed.items()
        )

    @cached_property
    def _broken_modules(self) -> Set[int]:
        """The numbers of the modules of the previous run that are in other files."""
        numbers = () if self._folders_are_same else range(self._modules.read)
        return set(filter(self._is_moved, numbers))

    def _is_moved(self, number: int) -> bool:
        row = self._modules.row(number)
        return row is not None and self._file_of(row[0], row[1]) != row[2]

    @cached_property
    def _altered_parts(self) -> set[int]:
        """The numbers of the parts, of the previous run, of files that have changed."""
        begins = tuple(f"[{to_json(path)}," for path in self._files if not self._is_same(path))
        texts = self._parts.texts[: self._parts.read] if begins else ()
        return {number for number, text in enumerate(texts) if text.startswith(begins)}

    def _is_current(self, path: str, name: str, digest: str) -> bool:
        """Whether a part of a file that has changed is as it was."""
        part = self._parts_of(path).get(name)
        return part is not None and part.digest == digest

    def _parts_of(self, path: str) -> Mapping[str, Part]:
        if path not in self._current:
            self._current[path] = parts_of(path)
        return self._current[path]

    def _finding(self, number: int) -> Finding:
        if number not in self._shared:
            self._shared[number] = reader(Finding)(self._findings.row(number))
        return self._shared[number]

    def put(self, outcome: Outcome) -> Outcome:
        """Store the result of a file; a result with errors is not stored.

        Returns it with findings shared with other results: many files reach the same lines.
        """
        result, root, imported = outcome.result, outcome.root, outcome.imported
        path = result.filename
        self._changed = True
        self._results.pop(path, None)
        self._texts.pop(path, None)
        place = self._absolute(path)
        followed = {file for file in imported.values() if file is not None} - {place}
        if result.errors or not all(map(self._is_noted, (place, *followed))):
            return outcome
        modules = [self._modules.number((root, name, file)) for name, file in imported.items()]
        parts = [part for file in sorted(followed) for part in self._parts_met(file, outcome.reached)]
        self._held[path] = True
        return replace(outcome, result=self._store(path, [root, modules, [*map(self._parts.number, parts)]], result))

    def _store(self, path: str, numbers: list[Any], result: FileResult) -> FileResult:
        """Store a result with the numbers of its modules and parts; returns it with shared findings."""
        self._changed = True
        self._texts.pop(path, None)
        findings = [self._findings.number(finding) for finding in result.findings]
        shared = tuple(self._shared.setdefault(*pair) for pair in zip(findings, result.findings, strict=True))
        data = None if result == FileResult(path) else result._replace(findings=())
        self._results[path] = [*numbers, findings, data]
        self._placed.update({*map(self._absolute, other_files(result))} - {self._absolute(path)})
        return result._replace(findings=shared)

    def _parts_met(self, path: str, reached: Mapping[str, Set[str]] | None) -> Iterator[tuple[str, str, str]]:
        """The parts of a followed file on which a result rests."""
        found = self._parts_of(path) if reached is not None else {}
        if not found:
            yield path, WHOLE, ""
            return
        for name in (REST, *sorted((reached or {}).get(path, ()))):
            if name in found:
                yield path, name, found[name].digest

    def save(self) -> None:
        """Write the cache, if there is anything new in it."""
        if not self._changed:
            return
        results = {path: entry for path, entry in self._results.items() if self._holds(path)}
        for _, *numbers, _ in results.values():
            for table, used in zip(self._tables, numbers, strict=True):
                table.used.update(used)
        files = self._followed(results, self._modules.used)
        sizes = [len(table.texts) for table in self._tables]
        head = to_json([{path: self._files[path] for path in files}, self._known_folders or {}, *sizes])
        rows = (self._texts.get(path) or to_json([path, *entry]) for path, entry in results.items())
        placed = to_json({path: self._rows_of(path) for path in sorted(files & {*self._rows, *self._placed})})
        parts = ([head], *(table.used_texts() for table in self._tables), [placed], rows)
        write(self._location, ("".join(f"{line}\n" for line in lines) for lines in parts))  # the whole is large

    def _rows_of(self, path: str) -> dict[str, list[int]]:
        """The rows of the parts of a file."""
        if path in self._rows and self._is_same(path):
            return self._rows[path]
        return {name: [part.first, part.last] for name, part in self._parts_of(path).items() if part.first}

    def rests_on(self, paths: Sequence[str]) -> RestsOn | None:
        """The files on which results rest, and the folders in which modules were looked for; None if not all of these
        results are cached."""
        results = {path: self._results[path] for path in paths if path in self._results}
        if len(results) < len(paths) or self._known_folders is None:
            return None
        files = self._followed(results, {number for _, modules, *_ in results.values() for number in modules})
        return {path: self._files[path][:2] for path in files}, self._known_folders

    @cached_property
    def _known_folders(self) -> dict[str, str] | None:
        """The digests of all folders in which modules were looked for; None if a folder has changed during the run."""
        new = ((self._absolute(path), entry[0]) for path, entry in self._results.items() if path not in self._texts)
        is_moved = any(root and self._folders.root_of(path) != root for path, root in new)
        numbers = range(self._modules.read, len(self._modules.texts))
        return None if is_moved or any(map(self._is_moved, numbers)) else digests(self._folders.listed)

    def _followed(self, results: Iterable[str], modules: Iterable[int]) -> set[str]:
        """The files of some results, and those of modules."""
        found = {self._modules.row(number)[2] for number in modules} - {None}
        return found.union(map(self._absolute, results))

    def _is_same(self, path: str) -> bool:
        """Whether a file has not changed since a result was computed from it."""
        if path not in self._same:
            self._same[path] = path in self._files and self._compare(path)
        return self._same[path]

    def _compare(self, path: str) -> bool:
        *known, digest = self._files[path]
        now = stamp(path)
        if now == known:
            return True
        if now is None or now[0] != known[0] or _digest(path) != digest:
            return False
        self._changed = True
        self._files[path] = [*now, digest]
        return True

    def _is_noted(self, path: str) -> bool:
        """Record the state of a file; False if it changed since the run began, or does not exist."""
        if path not in self._noted:
            self._noted[path] = self._note(path)
        return self._noted[path]

    def _note(self, path: str) -> bool:
        if self._is_same(path):
            return True
        now = stamp(path)
        digest = "" if now is None or now[1] >= self._began - TICK else _digest(path)
        if now is None or not digest:
            return False
        self._files[path] = [*now, digest]
        return True

    def _file_of(self, root: str, name: str) -> str | None:
        """The path of a module by name for files below `root`."""
        if root not in self._above:
            given = (os.path.join(folder, "__init__.py") for folder in (*self._roots, root))
            self._above[root] = [*dict.fromkeys(map(self._folders.root_of, given))]
        return self._folders.file_of(self._above[root], name) or self._environment.file_of(name)


class _Table:
    """Rows as JSON, to which results refer by number; those that are not `used` are written as null."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.read = 0  # the number of rows of the previous run
        self.used: set[int] = set()
        self._numbers: dict[str, int] = {}
        self._of_rows: dict[Any, int] = {}

    def row(self, number: int) -> Any:
        """A row as data."""
        return self._rows[number] if number < self.read else json.loads(self.texts[number])

    @cached_property
    def _rows(self) -> list[Any]:
        rows: list[Any] = json.loads(f"[{','.join(self.texts[: self.read])}]")
        return rows

    def number(self, row: Any) -> int:
        """The number of a row; equal rows share it."""
        if row not in self._of_rows:
            if not self._numbers:
                self._numbers = {text: number for number, text in enumerate(self.texts)}
            text = to_json(row)
            self._of_rows[row] = number = self._numbers.setdefault(text, len(self.texts))
            if number == len(self.texts):
                self.texts.append(text)
        return self._of_rows[row]

    def used_texts(self) -> Iterator[str]:
        """The rows to write."""
        return (text if number in self.used else "null" for number, text in enumerate(self.texts))


def _digest(path: str) -> str:
    """The digest of a file; "" if it cannot be read."""
    try:
        return source_hash(read_bytes(path)).hex()
    except SourceError:
        return ""


def key_of(worker: Worker) -> str:
    """A name for all that results depend on besides files that are checked and followed."""
    settings = worker.settings
    places = (rules_dir(), *map(Path, settings.rules))
    cards = [path for place in places for path in (sorted(place.glob("*.yaml")) if os.path.isdir(place) else [place])]
    installed = Environment(settings.environment, Folders()).roots
    own = [_code(), _stamps(map(str, cards))]
    parts = [sys.version, os.getcwd(), worker.roots, worker.mode.edits, settings, installed, own]
    return source_hash(json.dumps(parts).encode()).hex()


@cache
def _code() -> list[tuple[str, list[int] | None]]:
    """The stamps of breaklint's own files: once, as this process goes on with the code that it has loaded."""
    walked = os.walk(Path(__file__).parents[1])
    return _stamps(sorted(os.path.join(at, name) for at, _, names in walked for name in names if name.endswith(CODE)))


def _stamps(paths: Iterable[str]) -> list[tuple[str, list[int] | None]]:
    return [(path, stamp(path)) for path in paths]
