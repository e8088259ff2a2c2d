"""Results of checked files, kept from run to run in the folder `.breaklint_cache`.

A result is used again only while all it came from is as it was: breaklint and Python, the settings, the rule cards,
the file's bytes, and of every module that was looked for on its behalf, in which file it is (or that there is none)
and that file's bytes. A file whose size and time are unchanged is not read to find that out. A cache that is damaged,
or cannot be written, is as good as none.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from breaklint.analysis.folders import Folders
from breaklint.cached_results import from_data, to_data
from breaklint.errors import SourceError
from breaklint.model import FileResult, Settings
from breaklint.resources import rules_dir
from breaklint.source.decoding import read_bytes

_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by breaklint; see https://bford.info/cachedir/\n"
_KEPT = 16  # caches of other settings and folders that stay when a new one is written
_TICK = 20_000_000  # ns; a file written so shortly before it was read may change again within one tick of its clock


class Cache:
    """The results for one set of settings, seen from one working folder. `roots` are the folders given to `check`."""

    def __init__(self, folder: Path, settings: Settings, roots: Sequence[str]) -> None:
        self._location = folder / f"{_key(settings, roots)}.json"
        self._roots = [os.path.abspath(root) for root in roots]
        self._began = time.time_ns()
        self._files: dict[str, list[Any]] = {}  # path: size, time, digest
        self._modules: list[list[Any]] = []  # root, dotted name, path
        self._numbers: dict[tuple[Any, ...], int] = {}  # of these, once there is something to keep
        self._results: dict[str, list[Any]] = {}  # path: root, numbers of the modules, result
        self._same: dict[str, bool] = {}
        self._noted: dict[str, bool] = {}
        self._fresh: set[str] = set()  # whose results are of this run
        self._outdated: set[str] = set()  # files that are other ones than the kept results have seen
        self._folders = Folders()
        self._above: dict[str, list[str]] = {}  # the folders in which modules are looked for, by root
        self._broken: set[int] | None = None
        self._changed = False
        if (data := _read(self._location)) is not None:
            self._files, self._modules, self._results = data["files"], data["modules"], data["results"]

    def get(self, path: str) -> FileResult | None:
        """The result for the file at `path`, None when there is none or something has changed."""
        if path not in self._results:
            return None
        root, modules, data = self._results[path]
        full = os.path.abspath(path)
        if not self._is_same(full) or (root and self._folders.root_of(full) != root):
            return None
        return from_data(path, data) if self._broken_modules().isdisjoint(modules) else None

    def put(self, result: FileResult, root: str, asked: Mapping[str, str | None]) -> None:
        """Keep a result; `asked` are the modules looked for, and their files. One with errors is not kept."""
        path = result.filename
        self._changed = True
        self._results.pop(path, None)
        sources = {os.path.abspath(path), *(file for file in asked.values() if file is not None)}
        if result.errors or not all(self._is_noted(source) for source in sources):
            return
        self._fresh.add(path)
        if not self._numbers:
            self._numbers = {tuple(module): number for number, module in enumerate(self._modules)}
        modules = [self._number((root, name, file)) for name, file in asked.items()]
        self._results[path] = [root, modules, to_data(result)]

    def _number(self, module: tuple[Any, ...]) -> int:
        """The number of a module: neighbours ask for the same ones."""
        number = self._numbers.setdefault(module, len(self._modules))
        if number == len(self._modules):
            self._modules.append([*module])
        return number

    def save(self) -> None:
        """Write the cache, if there is anything new in it."""
        if not self._changed:
            return
        text = json.dumps(self._compacted(), separators=(",", ":")).encode()
        with contextlib.suppress(OSError):
            make_folder(self._location.parent)
            descriptor, temporary = tempfile.mkstemp(dir=self._location.parent, suffix=".tmp")
            with os.fdopen(descriptor, "wb") as file:
                file.write(_checksum(text) + b"\n" + text)
            Path(temporary).replace(self._location)
            _drop_oldest(self._location.parent)

    def _compacted(self) -> dict[str, Any]:
        """Every module once, and nothing of files that are gone."""
        places: dict[tuple[Any, ...], int] = {}
        results = {}
        used: set[str] = set()
        for path, (root, modules, data) in self._results.items():
            triples = [tuple(self._modules[number]) for number in modules]
            sources = {os.path.abspath(path), *(triple[2] for triple in triples if triple[2] is not None)}
            if path in self._fresh or (self._outdated.isdisjoint(sources) and os.path.isfile(path)):
                results[path] = [root, [places.setdefault(triple, len(places)) for triple in triples], data]
                used |= sources
        files = {path: self._files[path] for path in used}
        return {"files": files, "modules": list(places), "results": results}

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
        """Note what a file is like; False when it changed since the run began, or is gone."""
        if path not in self._noted:
            self._noted[path] = self._note(path)
        return self._noted[path]

    def _note(self, path: str) -> bool:
        old = self._files.get(path)
        if old is not None and self._is_same(path):
            return True
        try:
            status = os.stat(path)
            if status.st_mtime_ns >= self._began - _TICK:
                return False
            self._files[path] = [status.st_size, status.st_mtime_ns, _digest(path)]
        except OSError:
            return False
        if old is not None:
            self._outdated.add(path)
        return True

    def _broken_modules(self) -> set[int]:
        """The numbers of the modules that are not what they were."""
        if self._broken is None:
            self._broken = {
                number
                for number, (root, name, path) in enumerate(self._modules)
                if self._file_of(root, name) != path or (path is not None and not self._is_same(path))
            }
        return self._broken

    def _file_of(self, root: str, name: str) -> str | None:
        """Where the module of that name lies for files below `root`."""
        if root not in self._above:
            given = (os.path.join(folder, "__init__.py") for folder in (*self._roots, root))
            self._above[root] = [self._folders.root_of(path) for path in given]
        return self._folders.file_of(self._above[root], name)


def make_folder(folder: Path) -> None:
    """Make the folder, and mark it as one that neither git nor backups want."""
    if folder.is_symlink():
        raise OSError("the folder of the cache is a link: who checks a stranger's folder must not write elsewhere")
    if not (folder / "CACHEDIR.TAG").exists():
        folder.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            create(folder / ".gitignore", "# Made by breaklint\n*\n")
        create(folder / "CACHEDIR.TAG", _TAG)


def create(path: Path, text: str) -> None:
    """Write a new file; FileExistsError where there is one, or a link that would lead elsewhere."""
    with path.open("x", encoding="utf-8") as file:
        file.write(text)


def is_cache(folder: Path) -> bool:
    """Whether a folder was made by `make_folder`."""
    try:
        return not folder.is_symlink() and read_bytes(str(folder / "CACHEDIR.TAG")) == _TAG.encode()
    except SourceError:
        return False


def _drop_oldest(folder: Path) -> None:
    caches = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for old in caches[_KEPT:]:
        old.unlink(missing_ok=True)


def _read(location: Path) -> dict[str, Any] | None:
    """What was written, None when there is nothing or it is damaged."""
    try:
        checksum, _, text = location.read_bytes().partition(b"\n")
    except OSError:
        return None
    data: dict[str, Any] | None = json.loads(text) if checksum == _checksum(text) else None
    return data


def _checksum(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(read_bytes(path)).hexdigest()[:32]
    except SourceError as error:
        raise OSError(error.reason) from None


def _key(settings: Settings, roots: Sequence[str]) -> str:
    """A name for all that results depend on besides files that are checked and followed."""
    code = sorted(path for path in Path(__file__).parent.rglob("*") if path.suffix in (".py", ".json"))
    places = (rules_dir(), *map(Path, settings.rules))
    cards = [path for place in places for path in (sorted(place.glob("*.yaml")) if place.is_dir() else [place])]
    parts = [sys.version, os.getcwd(), [*roots], dataclasses.asdict(settings), _stamps(code), _stamps(cards)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


def _stamps(paths: Iterable[Path]) -> list[tuple[str, int, int]]:
    known = ((path, path.stat()) for path in paths if path.exists())  # that a card is missing is told by its reader
    return [(str(path), status.st_size, status.st_mtime_ns) for path, status in known]
