"""Results of checked files, cached between runs in the folder `.breaklint_cache`.

A result is used again only while all it came from is as it was: breaklint and Python, the settings, the rule cards,
the file's bytes, and of every module that was looked for on its behalf, in which file it is (or that there is none).
The imported definitions of such a file and its code outside of definitions count, or the whole file if it cannot be
cut; rows in it are corrected. A file whose size and time are unchanged is not read to find that out. A cache that is
damaged, or cannot be written, is as good as none.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache, cached_property
from importlib.util import source_hash
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final

from breaklint.errors import SourceError
from breaklint.lint.cache_files import TICK, digest_of, digests, read_text, stamp, to_json, write
from breaklint.lint.cache_key import key_of
from breaklint.lint.moving import move_rows, names_rows
from breaklint.lint.parts import REST, Part, parts_of
from breaklint.lint.plain_data import reader
from breaklint.lint.workers import Outcome, Worker
from breaklint.model import FileResult, Finding
from breaklint.project.environment import Environment
from breaklint.project.folders import Folders
from breaklint.source.decoding import read_bytes
from breaklint.source.shown_paths import absolutes

WHOLE: Final = -1  # in place of the number of a part: the file is not cut at its definitions
# Sizes and times of files, digests of folders, and the words in names of modules.
RestsOn = tuple[dict[str, list[int] | None], dict[str, str], list[str]]


class Cache:
    """The results of a worker's settings, seen from one working folder.

    Results with edits of fixes are cached apart from those without. If `empty`, no cached result is read. JSON is
    decoded as far as a run needs it.
    """

    def __init__(self, folder: Path, worker: Worker, empty: bool = False) -> None:
        self._location = folder / f"{key_of(worker)}.json"
        self._roots = [os.path.abspath(root) for root in worker.roots]
        self._reported = worker.reported
        self._began = time.time_ns()
        self._files: dict[str, list[Any]] = {}  # path: size, time, digest
        self._listed: dict[str, str] = {}  # of the previous run: the digests of the folders with the modules
        self._words: list[str] = []  # the parts of the names of modules
        self._modules = _Table()  # root, dotted name, path
        self._findings = _Table()
        self._numbers: dict[str, int] = {}  # of followed files, by path
        self._layouts: dict[str, str] = {}  # JSON of the previous run by path: the parts of followed files
        # By path: root, the numbers of the findings, and the result without findings; JSON of the previous run.
        self._results: dict[str, list[Any]] = {}
        self._texts: dict[str, str] = {}
        # JSON by path: the numbers of modules; the number of each followed file, and those of its parts.
        self._needs: dict[str, str] = {}
        self._shared: dict[int, Finding] = {}  # by number
        self._stamps: dict[str, list[int] | None] = {}  # of files, when they were compared
        self._same: dict[str, bool] = {}
        self._noted: dict[str, bool] = {}
        self._validity: dict[str, bool] = {}  # by path of a result
        self._folders = Folders()
        self._environment = Environment(worker.settings.environment, self._folders)
        self._above: dict[str, list[str]] = {}  # the folders in which modules are looked for, by root
        self._changed = False
        self._absolute = absolutes()
        self._parts_of = cache(parts_of)  # of files as they are
        self._previous_parts = cache(self._read_layout)
        if not empty and (text := read_text(self._location)) is not None:
            self._load(text.decode().split("\n"))

    def _load(self, lines: list[str]) -> None:
        """Take the lines of JSON that `save` wrote."""
        self._files, self._listed, self._words, followed, *sizes = json.loads(lines[0])
        ends = [*accumulate(sizes, initial=1)]
        modules, findings, layouts, texts, needs = (lines[start:end] for start, end in pairwise(ends))
        self._modules.load(modules)
        self._findings.load(findings)
        self._numbers = {path: number for number, path in enumerate(followed)}
        self._layouts = dict(zip(followed, layouts, strict=True))
        self._results = {path: entry for path, *entry in json.loads(f"[{','.join(texts)}]")}
        self._texts = dict(zip(self._results, texts, strict=True))
        self._needs = dict(zip(self._results, needs, strict=True))

    def get(self, path: str) -> Outcome | None:
        """The cached result of the file at `path`; None if there is none or something has changed."""
        if path not in self._results or not self._holds(path):
            return None
        result = self._result(path)
        requested = result.unreported if self._reported is None else self._reported.intersection(result.unreported)
        return None if requested else Outcome(result)

    def _result(self, path: str) -> FileResult:
        _, findings, data = self._results[path]
        result: FileResult = FileResult(path) if data is None else reader(FileResult)(data)
        return result._replace(findings=tuple(map(self._finding, findings)))

    def _finding(self, number: int) -> Finding:
        if number not in self._shared:
            self._shared[number] = reader(Finding)(self._findings.row(number))
        return self._shared[number]

    def _holds(self, path: str) -> bool:
        """Whether a check would return the same result now, perhaps in other rows."""
        if path not in self._validity:
            self._validity[path] = self._compare_result(path, self._results[path][0], self._needs[path])
        return self._validity[path]

    def _compare_result(self, path: str, root: str, needs: str) -> bool:
        place = self._absolute(path)
        if not self._is_same(place):
            return False
        if root and not self._folders_are_same and self._folders.root_of(place) != root:
            return False
        changed = {file for mark, file in self._changed_files.items() if mark in needs}
        if not changed and not self._broken_modules:
            return True
        modules, follows = json.loads(needs)
        if any(number in self._broken_modules for number in modules):
            return False
        paths = [*self._numbers]
        some = {paths[number]: numbers for number, *numbers in follows if paths[number] in changed}
        parts = {file: self._current_parts(file, numbers) for file, numbers in some.items()}
        return all(parts.values()) and self._move(path, parts)

    @cached_property
    def _folders_are_same(self) -> bool:
        """Whether all modules are in the same files as in the previous run, because their folders list the same
        names."""
        words = {*self._words}
        return bool(self._listed) and all(
            digest_of(self._folders.names(folder), words) == digest for folder, digest in self._listed.items()
        )

    @cached_property
    def _broken_modules(self) -> Set[int]:
        """The numbers of the modules of the previous run that are in other files."""
        numbers = () if self._folders_are_same else range(self._modules.read)
        return set(filter(self._is_moved, numbers))

    def _is_moved(self, number: int) -> bool:
        root, name, path = self._modules.row(number)
        return bool(self._file_of(root, name) != path)

    @cached_property
    def _changed_files(self) -> dict[str, str]:
        """The followed files that have changed, by the text before the numbers of their parts."""
        return {f"[{self._numbers[path]},": path for path in self._layouts if not self._is_same(path)}

    def _read_layout(self, path: str) -> Mapping[str, Part]:
        return {name: Part(*values) for name, values in json.loads(self._layouts.get(path, "{}")).items()}

    def _current_parts(self, path: str, numbers: Sequence[int]) -> Mapping[str, Part]:
        """The parts with these numbers of a file that has changed, as they were; none if one of them has changed."""
        previous, now = [*self._previous_parts(path).items()], self._parts_of(path)
        parts = {} if WHOLE in numbers else dict(previous[number] for number in numbers)
        is_same = all(name in now and now[name].digest == part.digest for name, part in parts.items())
        return parts if is_same else {}

    def _move(self, path: str, parts: Mapping[str, Mapping[str, Part]]) -> bool:
        """Correct the rows of a result in files, of which these parts are the same; False if that is not possible."""
        moving = [file for file, file_parts in parts.items() if self._are_moved(file, file_parts)]
        if not moving:
            return True
        root, findings, data = self._results[path]
        texts = to_json([data, [self._findings.row(number) for number in findings]])
        files = {file for file in moving if os.path.basename(file) in texts}
        if any(names_rows(texts, file) for file in files):
            return False

        def move(filename: str, row: int) -> int:
            if (file := self._absolute(filename)) not in files:
                return row
            for name, part in parts[file].items():
                if part.first <= row <= part.last:
                    return row - part.first + self._parts_of(file)[name].first
            raise KeyError(row)

        if files:
            try:
                result = move_rows(self._result(path), move)
            except KeyError:
                return False
            self._store(path, root, result)
            self._results[path] = json.loads(to_json(self._results[path]))
        return True

    def _are_moved(self, path: str, parts: Mapping[str, Part]) -> bool:
        """Whether one of these parts of a file is in other rows, or in several, which are not known."""
        now = self._parts_of(path)
        return any(not part.first or now[name].first != part.first for name, part in parts.items() if name != REST)

    def put(self, outcome: Outcome) -> Outcome:
        """Store the result of a file; a result with errors is not stored.

        Returns it with findings shared with other results: many files reach the same lines.
        """
        result, root, modules_by_name = outcome.result, outcome.root, outcome.imported
        path = result.filename
        self._changed = True
        for table in (self._results, self._texts, self._needs):
            table.pop(path, None)
        place = self._absolute(path)
        paths = {file for file in modules_by_name.values() if file is not None} - {place}
        if result.errors or not all(map(self._is_noted, (place, *paths))):
            return outcome
        modules = [self._modules.number((root, name, file)) for name, file in modules_by_name.items()]
        follows = [self._follow(file, outcome.reached) for file in sorted(paths)]
        self._needs[path] = to_json([modules, follows])
        self._validity[path] = True
        return replace(outcome, result=self._store(path, root, result))

    def _store(self, path: str, root: str, result: FileResult) -> FileResult:
        """Store a result; returns it with shared findings."""
        self._changed = True
        self._texts.pop(path, None)
        findings = [self._findings.number(finding) for finding in result.findings]
        shared = tuple(self._shared.setdefault(*pair) for pair in zip(findings, result.findings, strict=True))
        self._results[path] = [root, findings, None if result == FileResult(path) else result._replace(findings=())]
        return result._replace(findings=shared)

    def _follow(self, path: str, reached: Mapping[str, Set[str]] | None) -> list[int]:
        """The numbers of a followed file and of its parts on which a result rests."""
        number = self._numbers.setdefault(path, len(self._numbers))
        parts: Mapping[str, Part] = {}
        if reached is not None:
            parts = self._previous_parts(path) if self._is_same(path) else {}
            parts = parts or self._parts_of(path)
        names = {REST, *(reached or {}).get(path, ())}
        return [number, *(place for place, name in enumerate(parts) if name in names)] if parts else [number, WHOLE]

    def save(self) -> None:
        """Write the cache, if there is anything new in it."""
        if not self._changed:
            return
        results = {path: entry for path, entry in self._results.items() if self._holds(path)}
        numbers = {number for _, findings, _ in results.values() for number in findings}
        layouts = [self._layout(path) for path in self._numbers]
        files = {path: self._files[path] for path in self._places(results) if self._stamps.get(path)}
        tables = (self._modules.texts, [*self._findings.used_texts(numbers)], layouts)
        sizes = [*map(len, tables), len(results), len(results)]
        head = [files, self._known_folders or {}, self._all_words, [*self._numbers], *sizes]
        rows = (self._texts.get(path) or to_json([path, *entry]) for path, entry in results.items())
        parts = ([to_json(head)], *tables, rows, map(self._needs.__getitem__, results))
        write(self._location, ("".join(f"{line}\n" for line in lines) for lines in parts))  # the whole is large

    def _layout(self, path: str) -> str:
        layout = self._layouts.get(path) if self._is_same(path) else None
        return to_json(self._parts_of(path)) if layout is None else layout

    def _places(self, results: Iterable[str]) -> set[str]:
        """The files of some results, and those that any result follows, as far as they were compared."""
        return {path for path in (*map(self._absolute, results), *self._numbers) if path in self._files}

    def rests_on(self, paths: Sequence[str]) -> RestsOn | None:
        """The files on which results rest, and the folders in which modules were looked for, with the words in their
        names; None if not all of these results are cached."""
        folders = self._known_folders
        if folders is None or not all(path in self._results for path in paths):
            return None
        files = {path: self._stamps[path] for path in self._places(paths) if self._is_same(path) or self._stamps[path]}
        return files, folders, self._all_words

    @cached_property
    def _known_folders(self) -> dict[str, str] | None:
        """The digests of all folders in which modules were looked for; None if a folder has changed during the run."""
        new = ((self._absolute(path), entry[0]) for path, entry in self._results.items() if path not in self._texts)
        is_moved = any(root and self._folders.root_of(path) != root for path, root in new)
        if is_moved or any(map(self._is_moved, self._new_modules)):
            return None
        return digests(self._folders.listed, {*self._all_words})

    @property
    def _new_modules(self) -> range:
        return range(self._modules.read, len(self._modules.texts))

    @cached_property
    def _all_words(self) -> list[str]:
        new = (part for number in self._new_modules for part in self._modules.row(number)[1].split("."))
        return sorted({*self._words, "__init__", *new})

    def _is_same(self, path: str) -> bool:
        """Whether a file has not changed since a result was computed from it."""
        if path not in self._same:
            self._same[path] = path in self._files and self._compare(path)
        return self._same[path]

    def _compare(self, path: str) -> bool:
        *previous, digest = self._files[path]
        self._stamps[path] = now = stamp(path)
        if now == previous:
            return True
        if now is None or now[0] != previous[0] or _digest(path) != digest:
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
        self._stamps[path] = now = stamp(path)
        digest = "" if now is None or now[1] >= self._began - TICK else _digest(path)
        if now is None or not digest:
            return False
        self._files[path] = [*now, digest]
        return True

    def _file_of(self, root: str, name: str) -> str | None:
        """The path of a module by name for files below `root`."""
        if root not in self._above:
            paths = (os.path.join(folder, "__init__.py") for folder in (*self._roots, root))
            self._above[root] = [*dict.fromkeys(map(self._folders.root_of, paths))]
        return self._folders.file_of(self._above[root], name) or self._environment.file_of(name)


class _Table:
    """Rows as JSON, to which results refer by number."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.read = 0  # the number of rows of the previous run
        self._numbers: dict[str, int] = {}
        self._of_rows: dict[Any, int] = {}

    def load(self, texts: list[str]) -> None:
        """Take the rows of the previous run."""
        self.texts, self.read = texts, len(texts)

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

    def used_texts(self, numbers: Set[int]) -> Iterator[str]:
        """The rows to write: those that are not used as null."""
        return (text if number in numbers else "null" for number, text in enumerate(self.texts))


def _digest(path: str) -> str:
    """The digest of a file; "" if it cannot be read."""
    try:
        return source_hash(read_bytes(path)).hex()
    except SourceError:
        return ""
