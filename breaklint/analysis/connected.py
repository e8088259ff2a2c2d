"""The files that imports connect with one: what they store, what they pass on, and what they see of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from breaklint.analysis.file_index import ANY, MAKING
from breaklint.analysis.given_files import GivenFiles, bits, module_name
from breaklint.analysis.own_operators import is_operator
from breaklint.torchops.names import of_classes

CONSTRUCTORS: Final = frozenset({"__init__", "__new__"})
IN_LIBRARIES: Final = ("in_libraries", "in_handed", "in_classes")  # fields of Stored


class Connected:
    """The files, of those given and those followed, that imports connect with one, but itself."""

    def __init__(self, files: GivenFiles, path: str, followed: Sequence[str]) -> None:
        self._files = files
        self._mask, self._own, self.beside = files.connected(path, followed)

    def paths(self) -> list[str]:
        """All of them."""
        return [*(self._files.given[number] for number in bits(self._mask)), *self.beside]

    def stores(self, kind: str, name: str) -> bool:
        """Whether one of them stores a name; `kind` is a field of Stored."""
        return self._is_stored(kind, name, self._mask)

    def replaces(self, name: str) -> bool:
        """Whether a name of a library may be replaced: by any given file, connected or not, that stores it in one; by
        those connected and the file itself, if they store it in what they may be handed.

        Libraries are handed to so much code that the second says nothing of files without a connection.
        """
        own = self._mask | self._own
        kinds = IN_LIBRARIES[1:] if name in of_classes() or is_called_by_python(name) else IN_LIBRARIES[1:2]
        return any(
            self._files.storing("in_libraries", each) or any(self._is_stored(kind, each, own) for kind in kinds)
            for each in (name, ANY)
        )

    @cached_property
    def replaced_operators(self) -> tuple[str, ...]:
        """What Python calls of classes of libraries though no code names it, and may be replaced."""
        given = [self._files.names(kind, path) for kind in IN_LIBRARIES for path in ("", *self.beside)]
        names = sorted({name for each in given for name in each if is_called_by_python(name)})
        return tuple(filter(self.replaces, names))

    def fills(self, path: str) -> bool:
        """Whether a name of a file may be stored by code that gets the file as an object, and stores under names that
        it gets or has all of a dictionary."""
        passed = self._is_stored("passed", module_name(path), self._mask | self._own)
        storing = (("computed", ANY), ("in_objects", ANY))
        return passed and any(self._is_stored(kind, name, self._mask | self._own) for kind, name in storing)

    def binds(self, path: str, name: str) -> bool:
        """Whether a name of a file may be stored: in the file as a module."""
        owners = module_name(path), ANY
        stored = (f"{owner}.{each}" for owner in owners for each in (name, ANY))
        return self.fills(path) or any(self.stores("in_files", each) for each in stored)

    def notices(self, path: str, name: str) -> bool:
        """Whether a file sees that another one has a name, too: it imports it from there or takes all names, asks for
        it, or gets the file as an object."""
        if self.stores("asked", name) or self.stores("passed", module_name(path)):
            return True
        for each in self.paths():
            index = self._files.index(each)
            imported = (full for _, full in index.imported if full.endswith(f".{name}")) if index is not None else ()
            if any((path, name) in self._files.find(each, full) for full in imported):
                return True
        return False

    def _is_stored(self, kind: str, name: str, mask: int) -> bool:
        given = any(mask >> number & 1 for number in self._files.storing(kind, name))
        return given or any(self._files.holds(path, kind, name) for path in self.beside)


def is_called_by_python(name: str) -> bool:
    """Whether Python calls a method of this name for an operator, a loop or a call, or where an object is made."""
    return is_operator(name) or name in MAKING or name in CONSTRUCTORS
