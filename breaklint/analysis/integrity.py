"""May a name, attribute or method be something else than the code says? One query over the indexes of all files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from breaklint.analysis.connected import Connected
from breaklint.analysis.family import HOOKS, Family
from breaklint.analysis.file_index import ANY, FileIndex
from breaklint.analysis.given_files import GivenFiles
from breaklint.analysis.questions import Question, Read
from breaklint.analysis.top_level import ANY_TIME, hides, is_known, lasting
from breaklint.project.project import BUILTINS

# What functions of torch that fixes write read in turn; no schema tells.
READ_BEHIND: Final = {"is_compiling": ("_is_compiling_flag", "is_scripting")}


class Integrity:
    """What the files of a run do to one another."""

    def __init__(self, files: GivenFiles) -> None:
        self.files = files
        self._connected: dict[tuple[str, tuple[str, ...], int], Connected] = {}

    def doubts(self, question: Question, followed: Sequence[str]) -> tuple[str, ...]:
        """The names that may be something else, and what files show; `followed` are the files that imports of the
        file have led to."""
        key = question.path, tuple(followed), self.files.generation
        if key not in self._connected:
            self._connected[key] = Connected(self.files, *key[:2])
        others = self._connected[key]
        return tuple(dict.fromkeys(self._doubts(question, others)))

    def _doubts(self, question: Question, others: Connected) -> Iterator[str]:
        yield from (each for each in question.concerns if others.stores("shown", each))
        yield from (name for name in question.heads if _is_bound(others, question.path, name))
        yield from (name for name in question.added if others.notices(question.path, name))
        written = (*question.written, *(name for each in question.written for name in READ_BEHIND.get(each, ())))
        if not question.of_values:
            names = (*written, *(read.name for read in question.reads))
            yield from filter(others.replaces, names)
            return
        doubts = _Doubts(self.files, others, question)
        yield from sorted(doubts.family.operators)
        yield from others.replaced_operators
        yield from (name for name in sorted({*written, *HOOKS}) if _is_stored(others, name) or others.replaces(name))
        for name, deep in question.held:
            kinds = ("contents", "items") if deep else ("contents",)
            if any(others.stores(kind, each) for kind in kinds for each in (name, ANY)):
                yield name
        yield from (read.name for read in question.reads if doubts.of_read(read))


def _is_stored(others: Connected, name: str) -> bool:
    return others.stores("in_modules", name) or others.stores("in_modules", ANY)


def _is_bound(others: Connected, path: str, name: str) -> bool:
    """Whether a file stores a name of another one: in the file as a module, or in what may be any object."""
    return others.stores("in_objects", name) or others.binds(path, name)


class _Doubts:
    """What may be something else than a function takes it for, as the class around it sees it."""

    def __init__(self, files: GivenFiles, others: Connected, question: Question) -> None:
        self._files, self._others, self._own = files, others, files.stored(question.path)
        around = others.paths() if question.cls else ()
        self.family = Family(files, question.path, question.cls, question.above, question.makers, around)
        named = (name.partition("#")[0] for _, name in self.family.classes)
        self._opened = any(others.stores("opened", name) for name in named)

    def of_read(self, read: Read) -> bool:
        """Whether what is read may be something else."""
        name, others = read.name, self._others
        if _is_stored(others, name) or others.replaces(name) or (read.of_object and self._is_set(name)):
            return True
        if not read.is_attribute and others.stores("in_objects", name):
            return True
        if not read.known or any(self._is_rebound(*binding) for binding in read.bindings):
            return True
        if read.owner and self._is_stored_by(read.owner, name):
            return True
        if any(self._may_change([path], called) for path, called in read.contents):
            return True
        if read.of_contents and self._may_change(self.family.paths[1:], name):
            return True
        family = self.family
        if (read.is_attribute and name in family.replaced_methods) or (read.is_above and name in family.between):
            return True
        if not read.of_object:
            return False
        if read.is_store:
            return family.hooked or name in family.computed
        held = name in family.stored or name in family.overridden or family.hooked or self._opened
        return held or any(name.startswith(text) for text in family.beginnings)

    def _is_set(self, name: str) -> bool:
        """Whether a file stores an attribute of this name in what may be any object: by its name, or by one that it
        gets and another file tells."""
        stored, own = self._others.stores, self._own
        if any(stored("in_objects", each) for each in (name, ANY, *HOOKS)) or ANY in own.in_objects:
            return True
        computed = stored("computed", ANY) or ANY in own.computed
        return computed and (stored("told", name) or name in own.told)

    def _may_change(self, paths: Sequence[str], name: str) -> bool:
        """Whether a list or dict of this name may be changed: by other files, or by those at `paths`."""
        return self._others.stores("contents", name) or any(name in self._files.changed(each) for each in paths if each)

    def _is_stored_by(self, path: str, name: str) -> bool:
        index = self._files.index(path)
        if index is None or self._others.binds(path, name):
            return True
        stored = name in index.objects or any(name in cls.stored for cls in index.classes)
        return stored or any(each.rpartition(".")[2] == name for each in (*index.replaced, *index.looked_up))

    def _is_rebound(self, path: str, name: str, row: int) -> bool:
        """Whether a name of a file, or a builtin, may have another value when code of a row runs."""
        index = self._files.index(path)
        if index is None or index.fills or self._others.binds(path, name):
            return True
        found = lasting(dict(index.rebound).get(name, ()), row)
        hidden = name in BUILTINS and self._is_brought(path, index, name)
        return hidden or sum(not each.qualified for each in found) > 1 or any(each.row == ANY_TIME for each in found)

    def _is_brought(self, path: str, index: FileIndex, name: str) -> bool:
        """Whether an `import *` may hide a builtin: of a file, or of what that file takes all names of in turn."""
        stars = [f"{star}.{name}" for star in index.stars if not is_known(star)]
        behind = [self._files.index(file) for star in stars for file, _ in self._files.find(path, star)]
        if any(each is None or each.fills or name in each.builtins for each in behind):
            return True
        every = {star for each in (index, *behind) if each is not None for star in each.stars}
        unknown = any(not is_known(star) and not self._files.is_file(star) for star in every)
        return unknown or any(hides(star, name) for star in every)
