"""The files of a project that reach given ones: a helper is traced from the modules that call it.

A file reaches another if it imports a name from there and uses it, or a name whose definition uses one, through any
number of files. The search reads texts only; a file is parsed when it is checked. Imports by `importlib` or by names in
strings are not found.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from breaklint.errors import SourceError
from breaklint.project.folders import Folders
from breaklint.project.screen import may_matter
from breaklint.project.text_scan import Import, absolute, defined, imports, spread
from breaklint.source.decoding import decode, read_bytes

USERS: Final = 4  # files with regions that are checked because of one name
MOST: Final = 32  # files that are checked because of others
MOST_BYTES: Final = 200_000  # of these files together, except for the first
_LEVELS: Final = 6  # imports between a file and one that reaches it
_LOOKS: Final = 1_500  # texts whose imports are read
_FEW: Final = 32  # names that a text is searched for before its imports are read
Read = Callable[[str], bytes]
Name = tuple[str, str]  # of a file: its path, and its name there
Names = Mapping[str, Collection[str]]  # by path: the names of a file that reach a target


class Callers(NamedTuple):
    """The files that reach others, the nearest first, at most USERS because of one name, MOST and MOST_BYTES in all;
    and whether these are all."""

    files: tuple[str, ...] = ()
    complete: bool = True


def callers(paths: Iterable[str], files: Sequence[str], roots: Sequence[str], read: Read = read_bytes) -> Callers:
    """The files of `files` with regions that reach one of `paths`, without these; all paths are absolute.

    Absolute imports are searched below `roots` and beside the package of the importing file. `read` returns the bytes
    of a file, and raises SourceError.
    """
    search = _Search(roots, read)
    targets = {path: names for path in paths if (names := defined(search.text(path)))}
    if not targets:
        return Callers()
    above = {folder for path in targets for folder in _upwards(path)}
    shared = {path: next((folder for folder in _upwards(path) if folder in above), "") for path in files}
    distance = {path: -folder.count(os.sep) for path, folder in shared.items()}
    result = search.leading_to(targets, sorted(files, key=lambda path: (distance[path], path)))
    near = sorted(result, key=lambda path: (*result[path], distance[path], path))
    sizes = accumulate(len(search.data(path)) for path in near)
    fitting = tuple(
        path for path, size in zip(near[:MOST], sizes, strict=False) if size <= MOST_BYTES or path == near[0]
    )
    return Callers(fitting, len(fitting) == len(near) and search.read_budget > 0 and not search.common_names)


def _upwards(path: str) -> Iterator[str]:
    """A path and the folders that it is in, the innermost first."""
    while path:
        yield path
        path = path.rpartition(os.sep)[0]


class Expected(NamedTuple):
    """The words that a calling text contains: of each module its name, the exposed names, and its folder if files in
    it may write `from . import name`. All names of modules are searched at once."""

    modules: Sequence[tuple[bytes, re.Pattern[bytes], str]]
    stems: re.Pattern[bytes]
    packages: tuple[str, ...]

    def is_in(self, path: str, data: bytes) -> bool:
        """Whether a file may import one of the modules."""
        if len(self.modules) > _FEW:
            return True
        may_import = path.startswith(self.packages) or self.stems.search(data) is not None
        return may_import and any(
            (stem in data or (package and path.startswith(package))) and names.search(data)
            for stem, names, package in self.modules
        )


class _Search:
    """The texts of files, and the files that they import."""

    def __init__(self, roots: Sequence[str], read: Read) -> None:
        self._roots, self._read, self._folders = roots, read, Folders()
        self.read_budget = _LOOKS  # texts whose imports may still be read
        self._room = MOST_BYTES  # for files with a `forward`
        self._users: Counter[Name] = Counter()  # the files with regions that use a name
        self.common_names: set[Name] = set()  # the names that have enough of these
        self._data: dict[str, bytes] = {}
        self._imports: dict[str, list[tuple[Import, str | None, str | None]]] = {}
        self._files: dict[tuple[tuple[str, ...], str], str | None] = {}

    def data(self, path: str) -> bytes:
        """The bytes of a file, empty if it cannot be read."""
        if path not in self._data:
            try:
                self._data[path] = self._read(path)
            except SourceError:
                self._data[path] = b""
        return self._data[path]

    def text(self, path: str) -> str:
        """The text of a file, "" if it cannot be read."""
        try:
            return decode(path, self.data(path)).text
        except SourceError:
            return ""

    def leading_to(self, targets: Names, files: Sequence[str]) -> dict[str, tuple[bool, int]]:
        """The files with regions that reach the targets: whether they lack a `forward`, and the number of imports."""
        exposed = {path: set(names) for path, names in targets.items()}
        result: dict[str, tuple[bool, int]] = {}
        new: dict[str, set[str]] = exposed
        for level in range(1, _LEVELS + 1):
            reached: dict[str, set[str]] = {}
            for path in self._candidates(files, new):
                edges = self._edges(path, new)
                names, uses_any = spread(self.text(path), {*edges}) if edges else (set[str](), False)
                if uses_any and path not in targets and path not in result and may_matter(self.text(path)):
                    result[path] = b"def forward" not in self.data(path), level
                    self._count(edges.values())
                    self._room -= 0 if result[path][0] else len(self.data(path))
                    if self._room < 0:
                        return result  # further results rank after these
                if fresh := names - exposed.get(path, set()):
                    reached[path] = fresh
            for path, names in reached.items():
                exposed.setdefault(path, set()).update(names)
            new = reached
            if not new or len(result) > MOST or self.read_budget <= 0:
                break
        return result

    def _count(self, used_names: Iterable[set[Name]]) -> None:
        """Note a file with regions that uses names of others."""
        for name in set[Name]().union(*used_names):
            self._users[name] += 1
            if self._users[name] == USERS:
                self.common_names.add(name)

    def _candidates(self, files: Sequence[str], exposing: Names) -> Iterator[str]:
        """The files whose text has the name of a module that is looked for, and one of the names that it exposes."""
        expected, count = self._expected_words(exposing), len(self.common_names)
        for path in files:
            if count != len(self.common_names):
                expected, count = self._expected_words(exposing), len(self.common_names)
            if not expected.modules:
                return
            if expected.is_in(path, self.data(path)):
                self.read_budget -= 1
                if self.read_budget < 0:
                    return
                yield path

    def _expected_words(self, exposing: Names) -> Expected:
        open_names = {
            path: [name for name in names if (path, name) not in self.common_names] for path, names in exposing.items()
        }
        modules = [
            (self._stem(path).encode(), _one_of(names), _package(path)) for path, names in open_names.items() if names
        ]
        stems = re.compile(b"|".join({re.escape(stem) for stem, *_ in modules}))
        return Expected(modules, stems, tuple(package for *_, package in modules if package))

    def _stem(self, path: str) -> str:
        return self._folders.dotted(path)[1].rpartition(".")[2]

    def _edges(self, path: str, exposing: Names) -> dict[str, set[Name]]:
        """The exposed names that a file imports, by the name in the file, without those that have enough users."""
        edges: dict[str, set[Name]] = defaultdict(set)
        for item, module, submodule in self._led(path):
            if submodule is not None and submodule in exposing and submodule != path:
                edges[item.bound] |= self._exposed(path, submodule, exposing)
            elif module is not None and module in exposing and module != path:
                if item.name in exposing[module]:
                    edges[item.bound].add((module, item.name))
                elif item.name in ("", "*"):
                    for name in self._exposed(path, module, exposing):
                        edges[name[1] if item.bound in ("", "*") else item.bound].add(name)
        return {bound: names for bound, names in edges.items() if not names <= self.common_names}

    def _exposed(self, path: str, module: str, exposing: Names) -> set[Name]:
        """The names of a module that the text of a file has."""
        return {(module, name) for name in exposing[module] if name.encode() in self.data(path)}

    def _led(self, path: str) -> list[tuple[Import, str | None, str | None]]:
        """The imports of a file that resolve to files: the module, and the submodule that each may name."""
        if path not in self._imports:
            root, dotted, is_package = self._folders.dotted(path)
            package = dotted.split(".") if is_package else dotted.split(".")[:-1]
            led = self._imports[path] = []
            roots = (root, *self._folders.script_root(path, text := self.text(path)))
            for item in imports(text):
                name = absolute(item, package)
                inner = f"{name}.{item.name}".strip(".") if name is not None and item.name not in ("", "*") else ""
                files = self._file_of(roots, name or ""), self._file_of(roots, inner)
                if files != (None, None):
                    led.append((item, *files))
        return self._imports[path]

    def _file_of(self, roots: tuple[str, ...], name: str) -> str | None:
        """The file of a module for files that import from some roots; "" is none."""
        if (roots, name) not in self._files:
            folders = dict.fromkeys([roots[0], *self._roots, *roots])
            self._files[roots, name] = self._folders.file_of(folders, name) if name else None
        return self._files[roots, name]


def _one_of(names: Iterable[str]) -> re.Pattern[bytes]:
    return re.compile(b"|".join([rb"import[ \t]*\*", *sorted(re.escape(name.encode()) for name in names)]))


def _package(path: str) -> str:
    """The folder whose files may write `from . import name` for names of `path`; "" if it is not a package."""
    folder, base = os.path.split(path)
    return folder + os.sep if base == "__init__.py" else ""
