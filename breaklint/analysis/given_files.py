"""The indexes of the files of a run: which imports connect, which store a name, what a qualified name leads to."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from breaklint.analysis.class_index import ClassIndex
from breaklint.analysis.encoding import decoded, encoded
from breaklint.analysis.file_index import ANY, MAKING, FileIndex
from breaklint.analysis.handed_on import KEPT, OWN
from breaklint.analysis.imports import LIBRARIES  # what is replaced in them counts whatever imports connect
from breaklint.project.folders import Folders

OLD_NAMES: Final = frozenset("bool complex float int object str".split())  # of NumPy, which files bring back
MAX_DECODED: Final = 256  # indexes that are held as objects
MAX_HOPS: Final = 12  # of one file's import to the next
Class = tuple[str, str]  # the path of a file, and the name of a class in it


class Stored(NamedTuple):
    """The names that a file stores: in modules, classes and libraries (ANY: in one of the given files under any name),
    in what may be an object (ANY: all names of a dictionary), in libraries alone, in what may be a library that it is
    handed, in lists and dicts, in items of such; the classes of objects in which it stores under names that are put
    together; ANY where it stores in objects under names that it gets, and the names that it tells; what it shows that
    proofs take to be otherwise."""

    in_modules: frozenset[str]
    in_objects: frozenset[str]
    in_libraries: frozenset[str]
    in_handed: frozenset[str]
    contents: frozenset[str]
    items: frozenset[str]
    opened: frozenset[str]
    computed: frozenset[str]
    told: frozenset[str]
    shown: frozenset[str]


class GivenFiles:
    """The indexes by absolute path: `known` ones as text; `load` makes one that is not known yet, None for what is no
    Python, and `changed` gives the names of which a file may change lists and dicts.

    `given` are the files of the run. Others are those that imports lead to.
    """

    def __init__(
        self,
        given: Iterable[str],
        load: Callable[[str], FileIndex | None],
        changed: Callable[[str], frozenset[str]],
        folders: Folders,
        known: Mapping[str, str] | None = None,
    ) -> None:
        self.given = list(dict.fromkeys(map(os.path.abspath, given)))
        self._numbers = {path: number for number, path in enumerate(self.given)}
        self._load, self._changes, self._folders = load, changed, folders
        self._changed: dict[str, frozenset[str]] = {}
        self._noted: set[str] = set()  # the files whose classes are in `_derived`
        self._encoded = dict(known or {})
        self._indexes: dict[str, FileIndex | None] = {}  # of files whose index was asked for lately
        self._none: set[str] = set()  # files that have no index
        self._put: dict[str, FileIndex] = {}
        self.generation = 0  # how often the text of a file became another one
        self._found: dict[tuple[str, int], list[Class]] = {}
        self._by_name: dict[str, list[str]] = {}  # the files by their dotted names
        self._named_files: set[str] = set()
        self._words = frozenset(map(_last_name, self.given))
        for path in self.given:
            self._note_name(path)
        self._after: list[int] | None = None  # by number: the given files that one imports, as bits
        self._before: list[int] = []
        self._reached: dict[str, int] = {}  # by path: the given files that imports connect with one
        self._storing: dict[str, dict[str, list[int]]] = {field: {} for field in Stored._fields}
        self._called: dict[str, int] = defaultdict(int)
        self._derived: dict[Class, list[Class]] | None = None

    def put(self, path: str, index: FileIndex) -> None:
        """Take the index of a file as it is now; what was found out of another text of it is found out again."""
        used = path in self._noted or path in self._changed or self._after is not None
        if used and self.index(path) != index:
            self.generation += 1
            self._forget_tables()
        self._put[path] = index

    def _forget_tables(self) -> None:
        """Let go of all that is worked out of the indexes."""
        self._changed.clear()
        self._noted.clear()
        self._found.clear()
        self._called.clear()
        self._after, self._before, self._derived = None, [], None
        self._reached.clear()
        self._storing = {field: {} for field in Stored._fields}

    def index(self, path: str) -> FileIndex | None:
        """The index of a file."""
        if path in self._put:
            return self._put[path]
        if path not in self._indexes:
            if len(self._indexes) >= MAX_DECODED:
                self._indexes.clear()
            self._indexes[path] = self._read(path)
        return self._indexes[path]

    def _read(self, path: str) -> FileIndex | None:
        if path in self._encoded:
            return decoded(self._encoded[path])
        index = None if path in self._none else self._load(path)
        if index is None:
            self._none.add(path)
        else:
            self._encoded[path] = encoded(index)
        return index

    def encoded(self) -> dict[str, str]:
        """All that are known, as text."""
        return self._encoded

    def changed(self, path: str) -> frozenset[str]:
        """The names, and names of attributes, with lists and dicts that a file may change."""
        if path not in self._changed:
            self._changed[path] = self._changes(path)
        return self._changed[path]

    def stored(self, path: str) -> Stored:
        """The names that a file stores."""
        return self._stores(self.index(path))

    def connected(self, path: str, followed: Sequence[str]) -> Connected:
        """The files, of those given and those followed, that imports connect with one, but itself: those that lead to
        it, and those that these import."""
        number = self._numbers.get(path)
        own = 0 if number is None else 1 << number
        mask = self._connected(path) & ~own
        for each in (*followed, path):
            self._note_name(each)
        numbers = ((each, self._numbers.get(each)) for each in dict.fromkeys(followed))
        beside = [each for each, other in numbers if each != path and (other is None or not mask >> other & 1)]
        return Connected(self, mask, own, beside)

    def storing(self, kind: str, name: str) -> Sequence[int]:
        """The numbers of the given files that store a name; `kind` is a field of Stored."""
        self._look_through()
        return self._storing[kind].get(name, ())

    def _look_through(self) -> None:
        """Look once through all given files: at their imports, and at what they store."""
        if self._after is not None:
            return
        for number, path in enumerate(self.given):
            self._called[_last_name(path)] |= 1 << number
        self._after, self._before = [], [0] * len(self.given)
        handed = set[str]()  # the files to whose functions one gives a library
        for number, path in enumerate(self.given):
            self._after.append(self._imports(path))
            index = self.index(path)
            handed.update(file for to in (index.handed_on if index else ()) for file, _ in self.find(path, to))
            for other in _bits(self._after[number]):
                self._before[other] |= 1 << number
        for number, path in enumerate(self.given):
            stored = self._stores(self.index(path), path in handed)
            for field, names in zip(Stored._fields, stored, strict=True):
                for each in names:
                    self._storing[field].setdefault(each, []).append(number)

    def _connected(self, path: str) -> int:
        self._look_through()
        assert self._after is not None
        known = self._reached.get(path)
        if known is None:
            number = self._numbers.get(path)
            own = self._importers(_last_name(path)) | self._imports(path) if number is None else 1 << number
            known = self._reached[path] = _closure(_closure(own, self._before), self._after)
        return known

    def _imports(self, path: str) -> int:
        mask, index = 0, self.index(path)
        if index is None:
            return 0
        for word in index.words:
            mask |= self._called.get(word, 0)
        if index.inside:
            mask |= self._called.get(os.path.basename(os.path.dirname(path)), 0)
        return mask

    def _importers(self, name: str) -> int:
        indexes = ((number, self.index(path)) for number, path in enumerate(self.given))
        return sum(1 << number for number, index in indexes if index is not None and name in index.words)

    def _stores(self, index: FileIndex | None, is_handed: bool = False) -> Stored:
        """What a file stores; `is_handed`: another file may hand it a library as an object."""
        if index is None:
            return Stored(*[frozenset[str]()] * len(Stored._fields))
        in_modules, libraries = {*index.looked_up}, {*index.looked_up}
        for dotted in index.replaced:
            owner, _, name = dotted.rpartition(".")
            library = owner.partition(".")[0]
            if library == "numpy" and owner == "numpy" and name in OLD_NAMES:
                continue
            if name == ANY and library not in LIBRARIES and not self._is_own(owner):
                continue
            in_modules.add(ANY if name in MAKING and self._is_own(owner) else name)
            libraries |= {name} if library in LIBRARIES else set()
        given = is_handed or OWN in index.handed_on
        handed = {*index.objects} if given or KEPT in index.handed_on else set()
        handed |= {ANY} if given and index.anywhere else set()
        if any(owner == ANY or self._is_own(owner) for owner in index.opened):
            in_modules.add(ANY)
        objects = {*index.objects, *([ANY] if index.whole else [])}
        return Stored(
            frozenset(in_modules), frozenset(objects), frozenset(libraries), frozenset(handed),
            frozenset(index.contents), frozenset(index.items),
            frozenset(index.made), frozenset([ANY] if index.anywhere else []), frozenset(index.told),
            frozenset(index.shown),
        )  # fmt: skip

    def _is_own(self, qualified: str) -> bool:
        """Whether a qualified name may be one of the given files, or in one."""
        parts = qualified.split(".")
        known = parts[0] in LIBRARIES and parts[0] not in self._words
        return not parts[0] or (not known and not self._words.isdisjoint(parts))

    def find(self, path: str, qualified: str, hops: int = MAX_HOPS) -> list[Class]:
        """The files and names in them that a qualified name of a file may stand for, over any number of imports."""
        if qualified.startswith("."):
            return [(path, qualified[1:])]
        if (qualified, hops) not in self._found:
            self._found[qualified, hops] = list(self._lookup(qualified, hops))
        return self._found[qualified, hops]

    def _lookup(self, qualified: str, hops: int) -> Iterator[Class]:
        parts = qualified.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            if files := self._by_name.get(".".join(parts[:cut])):
                for file in files:
                    yield from self._in_file(file, ".".join(parts[cut:]), hops)
                return

    def _in_file(self, path: str, name: str, hops: int) -> Iterator[Class]:
        index = self.index(path)
        if index is None or not hops:
            return
        imported = dict(index.imported).get(name.partition(".")[0])
        if imported is not None:
            rest = name.partition(".")[2]
            yield from self.find(path, f"{imported}.{rest}".rstrip("."), hops - 1)
        elif any(each.name == name for each in index.classes):
            yield path, name
        else:
            for star in index.stars:
                yield from self.find(path, f"{star}.{name}", hops - 1)
            yield path, name

    def _note_name(self, path: str) -> None:
        if path not in self._named_files:
            self._named_files.add(path)
            self._found.clear()
            self._by_name.setdefault(self._folders.dotted(path)[1], []).append(path)

    def cls(self, found: Class) -> ClassIndex | None:
        """The class of that name in a file."""
        index = self.index(found[0])
        return next((each for each in (index.classes if index else ()) if each.name == found[1]), None)

    def bases(self, found: Class) -> Iterator[Class]:
        """What a class derives from, as far as it stands in files."""
        cls = self.cls(found)
        for base in cls.bases if cls is not None else ():
            yield from self.find(found[0], base)

    def derived(self, classes: Iterable[Class], paths: Iterable[str]) -> list[Class]:
        """The classes of files that derive from one of some classes, at any distance. What a base that is not found
        stands for, its last name tells."""
        if self._derived is None:
            self._derived = defaultdict(list)
            for path in self.given:
                self._note_bases(path)
        table = self._derived
        for path in {*paths}.difference(self._numbers):
            self._note_bases(path)
        among = {*paths}
        found = list(dict.fromkeys(classes))
        for cls in found:
            near = [*table.get(cls, ()), *table.get(("", _end(self._in_full(cls))), ())]
            found += dict.fromkeys(each for each in near if each[0] in among and each not in found)
        return found

    def _in_full(self, cls: Class) -> str:
        index = self.index(cls[0])
        return f"{index.module}.{cls[1]}" if index is not None else cls[1]

    def _note_bases(self, path: str) -> None:
        assert self._derived is not None
        index = None if path in self._noted else self.index(path)
        self._noted.add(path)
        for cls in index.classes if index is not None else ():
            for base in cls.bases:
                for found in self.find(path, base) or [("", _end(base))]:
                    if (path, cls.name) not in self._derived.setdefault(found, []):
                        self._derived[found].append((path, cls.name))


class Connected:
    """Files that are connected with one, which is `own`: those given as bits, and others."""

    def __init__(self, files: GivenFiles, mask: int, own: int, beside: Sequence[str]) -> None:
        self._files, self._mask, self._own, self.beside = files, mask, own, beside

    def paths(self) -> list[str]:
        """All of them."""
        return [*(self._files.given[number] for number in _bits(self._mask)), *self.beside]

    def stores(self, kind: str, name: str) -> bool:
        """Whether one of them stores a name; `kind` is a field of Stored."""
        return self._is_stored(kind, name, self._mask)

    def replaces(self, name: str) -> bool:
        """Whether a name of a library may be replaced: by any given file, connected or not, that stores it in one; by
        those connected and the file itself, if they store it in what they may be handed.

        Libraries are handed to so much code that the second says nothing of files without a connection.
        """
        own = self._mask | self._own
        return any(
            self._files.storing("in_libraries", each) or self._is_stored("in_handed", each, own) for each in (name, ANY)
        )

    def _is_stored(self, kind: str, name: str, mask: int) -> bool:
        given = any(mask >> number & 1 for number in self._files.storing(kind, name))
        return given or any(name in getattr(self._files.stored(path), kind) for path in self.beside)


def _closure(first: int, steps: Sequence[int]) -> int:
    """What steps lead to from the first ones, with these."""
    seen = todo = first
    while todo:
        low = todo & -todo
        new = steps[low.bit_length() - 1] & ~seen
        seen |= new
        todo = (todo ^ low) | new
    return seen


def _end(qualified: str) -> str:
    """The last two parts of a name: where a path to a module begins is not known."""
    return ".".join(qualified.split(".")[-2:])


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _last_name(path: str) -> str:
    """What imports call a file: the last part of its dotted name."""
    folder, base = os.path.split(path)
    return os.path.basename(folder) if base == "__init__.py" else base.partition(".")[0]
