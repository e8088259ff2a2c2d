"""The indexes of the files of a run: which imports connect, which store a name, what a qualified name leads to."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from breaklint.analysis.class_index import UNKNOWN, ClassIndex
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
    handed, in what may be a class of one, in lists and dicts, in items of such; the classes of objects in which it
    stores under names that are put together; ANY where it stores in objects under names that it gets, and the names
    that it tells; what it shows that proofs take to be otherwise; the files that it passes as objects, by their last
    names, and the names of modules that it may notice in another file; what it stores in files, as `file.name` (ANY for
    all files, or all names)."""

    in_modules: frozenset[str]
    in_objects: frozenset[str]
    in_libraries: frozenset[str]
    in_handed: frozenset[str]
    in_classes: frozenset[str]
    contents: frozenset[str]
    items: frozenset[str]
    opened: frozenset[str]
    computed: frozenset[str]
    told: frozenset[str]
    shown: frozenset[str]
    passed: frozenset[str]
    asked: frozenset[str]
    in_files: frozenset[str]


class GivenFiles:
    """The indexes by absolute path: `known` ones as text; `load` makes one that is not known yet, None for what is no
    Python.

    `given` are the files of the run. Others are those that imports lead to.
    """

    def __init__(
        self,
        given: Iterable[str],
        load: Callable[[str], FileIndex | None],
        folders: Folders,
        known: Mapping[str, str] | None = None,
    ) -> None:
        self.given = list(dict.fromkeys(map(os.path.abspath, given)))
        self._numbers = {path: number for number, path in enumerate(self.given)}
        self._load, self._folders = load, folders
        self._noted: set[str] = set()  # the files whose classes are in `_derived`
        self._encoded = dict(known or {})
        self._indexes: dict[str, FileIndex | None] = {}  # of files whose index was asked for lately
        self._none: set[str] = set()  # files that have no index
        self._put: dict[str, FileIndex] = {}
        self.generation = 0  # how often the text of a file became another one
        self._found: dict[tuple[str, int], list[Class]] = {}
        self._held: dict[str, Stored] = {}  # of files that are not given, of which every question asks
        self._by_name: dict[str, list[str]] = {}  # the files by their dotted names
        self._named_files: set[str] = set()
        self._words = frozenset(map(module_name, self.given))
        for path in self.given:
            self._note_name(path)
        self._after: list[int] | None = None  # by number: the given files that one imports, as bits
        self._before: list[int] = []
        self._reached: dict[str, int] = {}  # by path: the given files that imports connect with one
        self._storing: dict[str, dict[str, list[int]]] = {field: {} for field in Stored._fields}
        self._called: dict[str, int] = defaultdict(int)
        self._derived: dict[Class, list[Class]] | None = None
        self._last: tuple[FileIndex, dict[str, ClassIndex]] | None = None

    def put(self, path: str, index: FileIndex) -> None:
        """Take the index of a file as it is now; what was found out of another text of it is found out again."""
        used = path in self._noted or self._after is not None
        if used and self.index(path) != index:
            self.generation += 1
            self._forget_tables()
        self._put[path] = index

    def _forget_tables(self) -> None:
        """Let go of all that is worked out of the indexes."""
        self._noted.clear()
        self._found.clear()
        self._held.clear()
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

    def text(self, path: str) -> str:
        """The index of a file as text, "" for what is no Python."""
        if path not in self._encoded:
            self.index(path)
        return self._encoded.get(path, "")

    def changed(self, path: str) -> tuple[str, ...]:
        """The names, and names of attributes, with lists and dicts of its own that a file may change."""
        index = self.index(path)
        return index.changed if index is not None else ()

    def stored(self, path: str) -> Stored:
        """The names that a file stores."""
        return self._stores(self.index(path))

    def holds(self, path: str, kind: str, name: str) -> bool:
        """Whether a file that is not given stores a name; `kind` is a field of Stored."""
        if path not in self._held:
            self._held[path] = self.stored(path)
        return name in getattr(self._held[path], kind)

    def names(self, kind: str, path: str = "") -> frozenset[str]:
        """The names that the given files store, or a file does; `kind` is a field of Stored."""
        if path:
            return frozenset(getattr(self.stored(path), kind))
        self._look_through()
        return frozenset(self._storing[kind])

    def connected(self, path: str, followed: Sequence[str]) -> tuple[int, int, list[str]]:
        """The files that imports connect with one: those that lead to it, and those that these import. Those given as
        bits, but itself, which is a bit as well, and those followed that are not among them."""
        number = self._numbers.get(path)
        own = 0 if number is None else 1 << number
        mask = self._connected(path) & ~own
        for each in (*followed, path):
            self._note_name(each)
        numbers = ((each, self._numbers.get(each)) for each in dict.fromkeys(followed))
        beside = [each for each, other in numbers if each != path and (other is None or not mask >> other & 1)]
        return mask, own, beside

    def storing(self, kind: str, name: str) -> Sequence[int]:
        """The numbers of the given files that store a name; `kind` is a field of Stored."""
        self._look_through()
        return self._storing[kind].get(name, ())

    def _look_through(self) -> None:
        """Look once through all given files: at their imports, and at what they store."""
        if self._after is not None:
            return
        for number, path in enumerate(self.given):
            self._called[module_name(path)] |= 1 << number
        self._after, self._before = [], [0] * len(self.given)
        # The files to whose functions one gives a library, which they may hand on, or a class of one.
        handed, handed_classes = set[str](), set[str]()
        for number, path in enumerate(self.given):
            self._after.append(self._imports(path))
            index = self.index(path)
            handed.update(file for to in (index.handed_on if index else ()) for file, _ in self.find(path, to))
            classes = index.handed_classes if index else ()
            handed_classes.update(file for to in classes for file, _ in self.find(path, to))
            for other in bits(self._after[number]):
                self._before[other] |= 1 << number
        handed_on = _closure(sum(1 << self._numbers[path] for path in handed & self._numbers.keys()), self._after)
        for number, path in enumerate(self.given):
            stored = self._stores(self.index(path), bool(handed_on >> number & 1), path in handed_classes)
            for field, names in zip(Stored._fields, stored, strict=True):
                for each in names:
                    self._storing[field].setdefault(each, []).append(number)

    def _connected(self, path: str) -> int:
        self._look_through()
        assert self._after is not None
        known = self._reached.get(path)
        if known is None:
            number = self._numbers.get(path)
            own = self._importers(module_name(path)) | self._imports(path) if number is None else 1 << number
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

    def _stores(self, index: FileIndex | None, is_handed: bool = False, is_handed_class: bool = False) -> Stored:
        """What a file stores; another file may hand it a library, or a class of one, as an object."""
        if index is None:
            return Stored(*[frozenset[str]()] * len(Stored._fields))
        in_modules, libraries = {*index.looked_up}, {*index.looked_up}
        in_files = {f"{ANY}.{name}" for name in index.looked_up}
        for dotted in index.replaced:
            owner, _, name = dotted.rpartition(".")
            library = owner.partition(".")[0]
            if library == "numpy" and owner == "numpy" and name in OLD_NAMES:
                continue
            if name == ANY and library not in LIBRARIES and not self._is_own(owner):
                continue
            in_files.add(f"{owner.rpartition('.')[2]}.{name}")
            if name == ANY and self.is_file(owner):
                continue
            in_modules.add(ANY if name in MAKING and self._is_own(owner) else name)
            libraries |= {name} if library in LIBRARIES else set()
        given = is_handed or OWN in index.handed_on
        handed = {*index.objects} if given or KEPT in index.handed_on else set()
        computed = {ANY} if index.anywhere or index.whole else set()
        handed |= computed if given else set()
        classes = {*index.objects} | computed if is_handed_class or OWN in index.handed_classes else set()
        if any(owner.partition(".")[0] in LIBRARIES for owner in index.opened):
            libraries |= {*index.objects} | computed
        for owner in index.opened:
            in_files |= {f"{owner.rpartition('.')[2]}.{ANY}"} if owner == ANY or self._is_own(owner) else set()
            in_modules |= {ANY} if owner != ANY and self._is_own(owner) and not self.is_file(owner) else set()
        objects = {*index.objects, *([ANY] if index.whole else [])}
        return Stored(
            frozenset(in_modules), frozenset(objects), frozenset(libraries), frozenset(handed),
            frozenset(classes), frozenset(index.contents), frozenset(index.items),
            frozenset(index.made), frozenset([ANY] if index.anywhere else []), frozenset(index.told),
            frozenset(index.shown), self._words.intersection(index.passed), frozenset(index.asked), frozenset(in_files),
        )  # fmt: skip

    def _is_own(self, qualified: str) -> bool:
        """Whether a qualified name may be one of the given files, or in one."""
        parts = qualified.split(".")
        known = parts[0] in LIBRARIES and parts[0] not in self._words
        return not parts[0] or (not known and not self._words.isdisjoint(parts))

    def is_file(self, qualified: str) -> bool:
        """Whether a qualified name is surely one of a file, and not of something in it."""
        return qualified in self._by_name

    def find(self, path: str, qualified: str, hops: int = MAX_HOPS) -> list[Class]:
        """The files and names in them that a qualified name of a file may stand for, over any number of imports."""
        if qualified.startswith("."):
            return [(path, qualified[1:])]
        if (qualified, hops) not in self._found:
            self._found[qualified, hops] = list(dict.fromkeys(self._lookup(qualified, hops)))
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
        elif name in self._classes(index):
            yield path, name
        else:
            for star in filter(self.is_file, index.stars):  # a package's own stars would answer for what is no file
                yield from self.find(path, f"{star}.{name}", hops - 1)
            yield path, name

    def _note_name(self, path: str) -> None:
        if path not in self._named_files:
            self._named_files.add(path)
            self._found.clear()
            self._by_name.setdefault(self.name(path), []).append(path)

    def name(self, path: str) -> str:
        """The dotted name of a file."""
        return self._folders.dotted(path)[1]

    def cls(self, found: Class) -> ClassIndex | None:
        """The class of that name in a file."""
        index = self.index(found[0])
        return self._classes(index).get(found[1]) if index is not None else None

    def _classes(self, index: FileIndex) -> dict[str, ClassIndex]:
        """The classes of an index by name, kept for the index that was asked last: a question asks it for many."""
        if self._last is None or self._last[0] is not index:
            self._last = index, {each.name: each for each in index.classes}
        return self._last[1]

    def bases(self, found: Class) -> Iterator[Class]:
        """What a class derives from, as far as it stands in files."""
        cls = self.cls(found)
        for base in cls.bases if cls is not None else ():
            yield from self.find(found[0], base)

    def derived(self, classes: Iterable[Class], paths: Iterable[str]) -> list[Class]:
        """The classes of files that derive from one of some classes, at any distance, or may. What a base that is not
        found stands for, its last name tells."""
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
            keys = cls, ("", _end(self._in_full(cls))), ("", UNKNOWN)
            near = [each for key in keys for each in table.get(key, ())]
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


def bits(mask: int) -> Iterator[int]:
    """The places of the bits that are set, from the lowest."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def module_name(path: str) -> str:
    """What imports call a file: the last part of its dotted name."""
    folder, base = os.path.split(path)
    return os.path.basename(folder) if base == "__init__.py" else base.partition(".")[0]
