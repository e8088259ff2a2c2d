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
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.util import source_hash  # as Python tells sources apart: hashlib takes 4 MB and 10 ms to import
from pathlib import Path
from typing import Any

from breaklint.errors import SourceError
from breaklint.lint.cache_files import TICK, read, write
from breaklint.lint.cached_results import finding_from_data, finding_to_data, from_data, to_data
from breaklint.lint.parts import REST, WHOLE, parts_of
from breaklint.lint.workers import Outcome, Worker
from breaklint.model import Finding, Settings
from breaklint.project.environment import Environment
from breaklint.project.folders import Folders
from breaklint.source.decoding import read_bytes
from breaklint.source.resources import rules_dir

CODE = (".py", ".json")
_json = json.JSONEncoder(separators=(",", ":")).encode


class Cache:
    """The results of a worker's settings, seen from one working folder.

    Results with edits of fixes are cached apart from those without. If `empty`, no cached result is read.
    """

    def __init__(self, folder: Path, worker: Worker, empty: bool = False) -> None:
        settings, roots, edits = worker.settings, worker.roots, worker.mode.edits
        self._location = folder / f"{_key(settings, roots, edits)}.json"
        self._roots = [os.path.abspath(root) for root in roots]
        self._reported = worker.reported
        self._began = time.time_ns()
        self._files: dict[str, list[Any]] = {}  # path: size, time, digest
        self._modules: list[Sequence[Any]] = []  # root, dotted name, path
        self._parts: list[Sequence[Any]] = []  # path, name of a definition, digest
        self._part_numbers: dict[Sequence[Any], int] = {}
        self._digests: dict[str, Mapping[str, str]] = {}  # of the parts of files as they are
        self._numbers: dict[Sequence[Any], int] = {}  # of these, once there is something to keep
        self._findings: list[Any] = []  # as data until they are read
        self._places: dict[Finding, int] = {}  # of those that are new
        self._results: dict[str, list[Any]] = {}  # path: root, numbers of the modules and of the parts, result
        self._same: dict[str, bool] = {}
        self._noted: dict[str, bool] = {}
        self._fresh: set[str] = set()  # whose results are of this run
        self._outdated: set[str] = set()  # files that are other ones than the kept results have seen
        self._folders = Folders()
        self._environment = Environment(settings.environment, self._folders)
        self._above: dict[str, list[str]] = {}  # the folders in which modules are looked for, by root
        self._broken: set[int] | None = None
        self._altered: set[int] | None = None
        self._changed = False
        if not empty and (data := read(self._location)) is not None:
            self._files, self._modules, self._findings = data["files"], data["modules"], data["findings"]
            self._parts = data["parts"]
            self._results = {path: entry for path, *entry in data["results"]}

    def get(self, path: str) -> Outcome | None:
        """The cached result of the file at `path`; None if there is none or something has changed."""
        if path not in self._results:
            return None
        data = self._results[path][-1]
        if not self._holds(path):
            return None
        result = from_data(path, data, self._finding)
        requested = result.unreported if self._reported is None else self._reported.intersection(result.unreported)
        return None if requested else Outcome(result)

    def _holds(self, path: str) -> bool:
        """Whether a check would return the same result now."""
        root, modules, parts, data = self._results[path]
        full = os.path.abspath(path)
        if not self._is_same(full) or (root and self._folders.root_of(full) != root):
            return False
        if not self._broken_modules().isdisjoint(modules):
            return False
        altered = self._altered_parts().intersection(parts)
        if not altered:
            return True
        if not all(self._is_current(*self._parts[number]) for number in altered):
            return False
        changed = {self._parts[number][0] for number in altered}
        text = _json([data, [self._data(number) for number in (data or {}).get("findings", ())]])
        return not any(os.path.basename(each) in text for each in changed)

    def _altered_parts(self) -> set[int]:
        """The numbers of the parts, of the run before, of files that have changed."""
        if self._altered is None:
            self._altered = {number for number, part in enumerate(self._parts) if not self._is_same(part[0])}
        return self._altered

    def _is_current(self, path: str, name: str, digest: str) -> bool:
        """Whether a part of a file that has changed is as it was."""
        return name != WHOLE and self._digests_of(path).get(name) == digest

    def _digests_of(self, path: str) -> Mapping[str, str]:
        if path not in self._digests:
            self._digests[path] = parts_of(path)
        return self._digests[path]

    def _finding(self, number: int) -> Finding:
        finding = self._findings[number]
        if not isinstance(finding, Finding):
            finding = self._findings[number] = finding_from_data(finding)
        return finding

    def put(self, outcome: Outcome) -> Outcome:
        """Store the result of a file; a result with errors is not stored.

        Returns it with findings shared with other results: many files reach the same lines.
        """
        result, root, imported = outcome.result, outcome.root, outcome.imported
        path = result.filename
        self._changed = True
        self._results.pop(path, None)
        sources = {os.path.abspath(path), *(file for file in imported.values() if file is not None)}
        if result.errors or not all(self._is_noted(source) for source in sources):
            return outcome
        self._fresh.add(path)
        if not self._numbers:
            self._numbers = {tuple(module): number for number, module in enumerate(self._modules)}
        modules = [self._number((root, name, file)) for name, file in imported.items()]
        data = to_data(result, self._place)
        followed = sources - {os.path.abspath(path)}
        parts = (part for file in sorted(followed) for part in self._parts_met(file, outcome.reached))
        self._results[path] = [root, modules, [*map(self._part_number, parts)], data]
        stored = from_data(path, data, self._finding)
        return replace(outcome, result=stored)

    def _number(self, module: tuple[Any, ...]) -> int:
        """The number of a module: neighbours use the same modules."""
        number = self._numbers.setdefault(module, len(self._modules))
        if number == len(self._modules):
            self._modules.append(module)
        return number

    def _parts_met(self, path: str, reached: Mapping[str, Set[str]] | None) -> Iterator[tuple[str, str, str]]:
        """The parts of a followed file on which a result rests."""
        digests = self._digests_of(path) if reached is not None else {}
        if not digests:
            yield path, WHOLE, ""
            return
        for name in (REST, *sorted((reached or {}).get(path, ()))):
            if name in digests:
                yield path, name, digests[name]

    def _part_number(self, part: tuple[str, str, str]) -> int:
        if not self._part_numbers:
            self._part_numbers = {tuple(each): number for number, each in enumerate(self._parts)}
        number = self._part_numbers.setdefault(part, len(self._parts))
        if number == len(self._parts):
            self._parts.append(part)
        return number

    def _place(self, finding: Finding) -> int:
        """The number of a finding."""
        place = self._places.setdefault(finding, len(self._findings))
        if place == len(self._findings):
            self._findings.append(finding)
        return place

    def save(self) -> None:
        """Write the cache, if there is anything new in it."""
        if not self._changed:
            return
        write(self._location, self._texts())

    def _texts(self) -> Iterator[str]:
        """The content of the cache, as JSON in parts: the whole would be as large as several syntax trees."""
        modules: dict[int, int] = {}
        parts: dict[int, int] = {}
        findings: dict[int, int] = {}
        used: set[str] = set()
        yield '{"results":'
        yield from _array(self._kept(modules, parts, findings, used))
        yield ',"parts":'
        yield from _array(self._parts[number] for number in parts)
        yield ',"modules":'
        yield from _array(self._modules[number] for number in modules)
        yield ',"findings":'
        yield from _array(self._data(number) for number in findings)
        yield f',"files":{_json({path: self._files[path] for path in used})}}}'

    def _kept(
        self, modules: dict[int, int], parts: dict[int, int], findings: dict[int, int], used: set[str]
    ) -> Iterator[list[Any]]:
        """The results of existing files, and the new numbers of their references by the old ones."""
        for path, (root, numbers, rests_on, data) in self._results.items():
            files = (self._modules[number][2] for number in numbers)
            sources = {os.path.abspath(path), *(file for file in files if file is not None)}
            kept = self._outdated.isdisjoint(sources) or self._holds(path)
            if path in self._fresh or (kept and os.path.isfile(path)):
                used |= sources
                renumbered = data and {**data, "findings": _numbered(data["findings"], findings)}
                yield [path, root, _numbered(numbers, modules), _numbered(rests_on, parts), renumbered]

    def _data(self, number: int) -> Any:
        finding = self._findings[number]
        return finding_to_data(finding) if isinstance(finding, Finding) else finding

    def _is_same(self, path: str) -> bool:
        """Whether a file is as it was when a result was made from it."""
        if path not in self._same:
            self._same[path] = path in self._files and self._compare(path)
        return self._same[path]

    def _compare(self, path: str) -> bool:
        size, changed, digest = self._files[path]
        try:
            status = os.stat(path)
            if status.st_size != size:
                return False
            if status.st_mtime_ns == changed:
                return True
            same: bool = _digest(path) == digest
        except OSError:
            return False
        if same:
            self._changed = True
            self._files[path][1] = status.st_mtime_ns
        return same

    def _is_noted(self, path: str) -> bool:
        """Record the state of a file; False if it changed since the run began, or does not exist."""
        if path not in self._noted:
            self._noted[path] = self._note(path)
        return self._noted[path]

    def _note(self, path: str) -> bool:
        old = self._files.get(path)
        if old is not None and self._is_same(path):
            return True
        try:
            status = os.stat(path)
            if status.st_mtime_ns >= self._began - TICK:
                return False
            self._files[path] = [status.st_size, status.st_mtime_ns, _digest(path)]
        except OSError:
            return False
        if old is not None:
            self._outdated.add(path)
        return True

    def _broken_modules(self) -> set[int]:
        """The numbers of the modules that have changed."""
        if self._broken is None:
            self._broken = {
                number for number, (root, name, path) in enumerate(self._modules) if self._file_of(root, name) != path
            }
        return self._broken

    def _file_of(self, root: str, name: str) -> str | None:
        """The path of a module by name for files below `root`."""
        if root not in self._above:
            given = (os.path.join(folder, "__init__.py") for folder in (*self._roots, root))
            self._above[root] = [*dict.fromkeys(map(self._folders.root_of, given))]
        return self._folders.file_of(self._above[root], name) or self._environment.file_of(name)


def _array(items: Iterable[Any]) -> Iterator[str]:
    before = "["
    for item in items:
        yield before + _json(item)
        before = ","
    yield "]" if before == "," else "[]"


def _numbered(old: Iterable[int], numbers: dict[int, int]) -> list[int]:
    """The new numbers of entries by their old numbers; `numbers` gets the new entries."""
    return [numbers.setdefault(number, len(numbers)) for number in old]


def _digest(path: str) -> str:
    try:
        return source_hash(read_bytes(path)).hex()
    except SourceError as error:
        raise OSError(error.reason) from None


def _key(settings: Settings, roots: Sequence[str], edits: bool) -> str:
    """A name for all that results depend on besides files that are checked and followed."""
    places = (rules_dir(), *map(Path, settings.rules))
    cards = [path for place in places for path in (sorted(place.glob("*.yaml")) if os.path.isdir(place) else [place])]
    parts = [sys.version, os.getcwd(), [*roots], edits, settings._asdict(), _code(), _stamps(cards)]
    return source_hash(json.dumps(parts).encode()).hex()


@cache
def _code() -> list[tuple[str, int, int]]:
    """The stamps of breaklint's own files: once, as this process goes on with the code that it has loaded."""
    walked = os.walk(Path(__file__).parents[1])
    return _stamps(sorted(os.path.join(at, name) for at, _, names in walked for name in names if name.endswith(CODE)))


def _stamps(paths: Iterable[str | Path]) -> list[tuple[str, int, int]]:
    stamps = []
    for path in paths:
        with suppress(OSError):  # that a card is missing is reported by its reader
            status = os.stat(path)
            stamps.append((str(path), status.st_size, status.st_mtime_ns))
    return stamps
