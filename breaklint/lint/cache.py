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
from functools import cache
from importlib.util import source_hash  # as in Python's .pyc files: hashlib takes 4 MB and 10 ms to import
from pathlib import Path
from typing import Any

from breaklint.errors import SourceError
from breaklint.lint.cache_files import TICK, read_rows, rows_as_text, stamp, to_json, write
from breaklint.lint.parts import REST, WHOLE, parts_of
from breaklint.lint.plain_data import fields_reader, reader
from breaklint.lint.workers import Outcome, Worker
from breaklint.model import FileResult, Finding
from breaklint.project.environment import Environment
from breaklint.project.folders import Folders
from breaklint.source.decoding import read_bytes
from breaklint.source.resources import rules_dir

CODE = (".py", ".json")
FINDINGS = FileResult._fields.index("findings")  # of a result: their numbers
RestsOn = tuple[dict[str, list[int]], Mapping[str, Set[str]]]  # sizes and times of files, and names in folders


class Cache:
    """The results of a worker's settings, seen from one working folder.

    Results with edits of fixes are cached apart from those without. If `empty`, no cached result is read.
    """

    def __init__(self, folder: Path, worker: Worker, empty: bool = False) -> None:
        self._location = folder / f"{key_of(worker)}.json"
        self._roots = [os.path.abspath(root) for root in worker.roots]
        self._reported = worker.reported
        self._began = time.time_ns()
        self._files: dict[str, list[Any]] = {}  # path: size, time, digest
        self._modules = _Table()  # root, dotted name, path
        self._parts = _Table()  # path, name of a definition, digest
        self._findings = _Table(is_flat=False)  # as data until they are read
        self._tables = {"modules": self._modules, "parts": self._parts, "findings": self._findings}
        self._results: dict[str, list[Any]] = {}  # path: root, numbers of the modules and of the parts, result
        self._digests: dict[str, Mapping[str, str]] = {}  # of the parts of files as they are
        self._same: dict[str, bool] = {}
        self._noted: dict[str, bool] = {}
        self._held: dict[str, bool] = {}  # by path of a result
        self._folders = Folders()
        self._environment = Environment(worker.settings.environment, self._folders)
        self._above: dict[str, list[str]] = {}  # the folders in which modules are looked for, by root
        self._broken: set[int] | None = None
        self._altered: set[int] | None = None
        self._changed = False
        self._read = fields_reader(FileResult, findings=lambda numbers: tuple(map(self._finding, numbers)))
        self._texts: dict[str, str] = {}  # the results of the run before as JSON, by path
        if not empty and (found := read_rows(self._location)) is not None:
            data, texts = found
            self._files, self._results = data["files"], {path: entry for path, *entry in data["results"]}
            self._texts = dict(zip(self._results, texts["results"], strict=False))
            for key, table in self._tables.items():
                table.load(data[key], texts[key])

    def get(self, path: str) -> Outcome | None:
        """The cached result of the file at `path`; None if there is none or something has changed."""
        if path not in self._results or not self._holds(path):
            return None
        data = self._results[path][-1]
        result = FileResult(path) if data is None else self._read(data)
        requested = result.unreported if self._reported is None else self._reported.intersection(result.unreported)
        return None if requested else Outcome(result)

    def _holds(self, path: str) -> bool:
        """Whether a check would return the same result now."""
        if path not in self._held:
            self._held[path] = self._compare_result(os.path.abspath(path), *self._results[path])
        return self._held[path]

    def _compare_result(self, path: str, root: str, modules: list[int], parts: list[int], data: Any) -> bool:
        if not self._is_same(path) or (root and self._folders.root_of(path) != root):
            return False
        if not self._broken_modules().isdisjoint(modules):
            return False
        altered = [self._parts.rows[number] for number in self._altered_parts().intersection(parts)]
        if not altered:
            return True
        if not all(self._is_current(*part) for part in altered):
            return False
        numbers = data[FINDINGS] if data else ()
        text = to_json([data, [self._findings.rows[number] for number in numbers]])
        return not any(os.path.basename(changed) in text for changed, *_ in altered)

    def _altered_parts(self) -> set[int]:
        """The numbers of the parts, of the run before, of files that have changed."""
        if self._altered is None:
            self._altered = {
                number for number, part in enumerate(self._parts.rows) if part and not self._is_same(part[0])
            }
        return self._altered

    def _is_current(self, path: str, name: str, digest: str) -> bool:
        """Whether a part of a file that has changed is as it was."""
        return name != WHOLE and self._digests_of(path).get(name) == digest

    def _digests_of(self, path: str) -> Mapping[str, str]:
        if path not in self._digests:
            self._digests[path] = parts_of(path)
        return self._digests[path]

    def _finding(self, number: int) -> Finding:
        if not isinstance(self._findings.rows[number], Finding):
            self._findings.rows[number] = reader(Finding)(self._findings.rows[number])
        finding: Finding = self._findings.rows[number]
        return finding

    def put(self, outcome: Outcome) -> Outcome:
        """Store the result of a file; a result with errors is not stored.

        Returns it with findings shared with other results: many files reach the same lines.
        """
        result, root, imported = outcome.result, outcome.root, outcome.imported
        path = result.filename
        self._changed = True
        self._results.pop(path, None)
        self._texts.pop(path, None)
        followed = {file for file in imported.values() if file is not None} - {os.path.abspath(path)}
        if result.errors or not all(map(self._is_noted, (os.path.abspath(path), *followed))):
            return outcome
        modules = [self._modules.number((root, name, file)) for name, file in imported.items()]
        parts = [part for file in sorted(followed) for part in self._parts_met(file, outcome.reached)]
        findings = [self._findings.number(finding) for finding in result.findings]
        data: list[Any] | None = None if result == FileResult(path) else [*result]
        if data is not None:
            data[FINDINGS] = findings
        self._results[path] = [root, modules, [*map(self._parts.number, parts)], data]
        self._held[path] = True
        return replace(outcome, result=result._replace(findings=tuple(map(self._finding, findings))))

    def _parts_met(self, path: str, reached: Mapping[str, Set[str]] | None) -> Iterator[tuple[str, str, str]]:
        """The parts of a followed file on which a result rests."""
        digests = self._digests_of(path) if reached is not None else {}
        if not digests:
            yield path, WHOLE, ""
            return
        for name in (REST, *sorted((reached or {}).get(path, ()))):
            if name in digests:
                yield path, name, digests[name]

    def save(self) -> None:
        """Write the cache, if there is anything new in it."""
        if not self._changed:
            return
        results = {path: entry for path, entry in self._results.items() if self._holds(path)}
        for _, modules, parts, data in results.values():
            self._modules.used.update(modules)
            self._parts.used.update(parts)
            self._findings.used.update(data[FINDINGS] if data else ())
        files = {self._modules.rows[number][2] for number in self._modules.used} - {None}
        files.update(map(os.path.abspath, results))
        rows = (self._texts.get(path) or to_json([path, *entry]) for path, entry in results.items())
        tables = {key: table.texts() for key, table in self._tables.items()}
        others = {"files": {path: self._files[path] for path in files}}
        write(self._location, rows_as_text({"results": rows, **tables}, others))

    def rests_on(self, paths: Sequence[str]) -> RestsOn | None:
        """The files on which results rest, and the folders in which modules were looked for; None if not all of these
        results are cached."""
        results = {os.path.abspath(path): self._results[path] for path in paths if path in self._results}
        numbers = {number for _, modules, *_ in results.values() for number in modules}
        new = [self._modules.rows[number] for number in numbers if number >= self._modules.read]
        is_moved = any(root and self._folders.root_of(path) != root for path, (root, *_) in results.items())
        if len(results) < len(paths) or is_moved or any(self._file_of(root, name) != at for root, name, at in new):
            return None
        files = {*results, *(self._modules.rows[number][2] for number in numbers)} - {None}
        return {path: self._files[path][:2] for path in files}, self._folders.listed

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

    def _broken_modules(self) -> set[int]:
        """The numbers of the modules that have changed."""
        if self._broken is None:
            self._broken = {
                number
                for number, row in enumerate(self._modules.rows)
                if row is not None and self._file_of(row[0], row[1]) != row[2]
            }
        return self._broken

    def _file_of(self, root: str, name: str) -> str | None:
        """The path of a module by name for files below `root`."""
        if root not in self._above:
            given = (os.path.join(folder, "__init__.py") for folder in (*self._roots, root))
            self._above[root] = [*dict.fromkeys(map(self._folders.root_of, given))]
        return self._folders.file_of(self._above[root], name) or self._environment.file_of(name)


class _Table:
    """Rows to which results refer by number; those that are not `used` are written as null."""

    def __init__(self, is_flat: bool = True) -> None:
        self.rows: list[Any] = []
        self.read = 0  # the number of rows of the previous run
        self.used: set[int] = set()
        self._texts: Sequence[str] = ()  # of the rows as JSON: encoding them again takes as long as checking a file
        self._numbers: dict[Any, int] = {}
        self._is_flat = is_flat

    def load(self, rows: list[Any], texts: Sequence[str]) -> None:
        """Take the rows of the previous run."""
        self.rows, self.read, self._texts = rows, len(rows), texts[: len(rows)]

    def number(self, row: Any) -> int:
        """The number of a row; equal rows share a number if the table is flat or the row is new."""
        if self._is_flat and not self._numbers:
            self._numbers = {tuple(each): number for number, each in enumerate(self.rows) if each}
        number = self._numbers.setdefault(row, len(self.rows))
        if number == len(self.rows):
            self.rows.append(row)
        return number

    def texts(self) -> Iterator[str]:
        """The rows as JSON."""
        for number, row in enumerate(self.rows):
            text = self._texts[number] if number < len(self._texts) else to_json(row)
            yield text if number in self.used else "null"


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
