"""The files that imports connect with one: what they store, what they pass on, and what they see of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, Protocol

from breaklint.analysis.file_index import ANY, MAKING, FileIndex
from breaklint.analysis.own_operators import is_operator
from breaklint.torchops.names import of_classes

CONSTRUCTORS: Final = frozenset({"__init__", "__new__"})
IN_LIBRARIES: Final = ("in_libraries", "in_handed", "in_classes")  # fields of Stored


class Files(Protocol):
    """What is known of the files of a run."""

    given: list[str]

    def storing(self, kind: str, name: str) -> Sequence[int]:
        """The numbers of the given files that store a name."""

    def index(self, path: str) -> FileIndex | None:
        """The index of a file."""

    def find(self, path: str, qualified: str) -> list[tuple[str, str]]:
        """The files and names in them that a qualified name of a file may stand for."""

    def holds(self, path: str, kind: str, name: str) -> bool:
        """Whether a file stores a name."""

    def names(self, kind: str, path: str = "") -> frozenset[str]:
        """The names that the given files store, or a file does."""


class Connected:
    """Files that are connected with one, which is `own`: those given as bits, and others."""

    def __init__(self, files: Files, mask: int, own: int, beside: Sequence[str]) -> None:
        self._files, self._mask, self._own, self.beside = files, mask, own, beside

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
    def replaced_operator(self) -> str:
        """What Python calls of classes of libraries though no code names it, and may be replaced; "" for nothing."""
        given = [self._files.names(kind, path) for kind in IN_LIBRARIES for path in ("", *self.beside)]
        names = sorted({name for each in given for name in each if is_called_by_python(name)})
        return next(filter(self.replaces, names), "")

    def fills(self, path: str) -> bool:
        """Whether a name of a file may be stored by code that gets the file as an object, and stores under names that
        it gets or has all of a dictionary."""
        passed = self._is_stored("passed", last_name(path), self._mask | self._own)
        storing = (("computed", ANY), ("in_objects", ANY))
        return passed and any(self._is_stored(kind, name, self._mask | self._own) for kind, name in storing)

    def binds(self, path: str, name: str) -> bool:
        """Whether a name of a file may be stored: in the file as a module."""
        owners = last_name(path), ANY
        stored = (f"{owner}.{each}" for owner in owners for each in (name, ANY))
        return self.fills(path) or any(self.stores("in_files", each) for each in stored)

    def notices(self, path: str, name: str) -> bool:
        """Whether a file sees that another one has a name, too: it imports it from there or takes all names, asks for
        it, or gets the file as an object."""
        if self.stores("asked", name) or self.stores("passed", last_name(path)):
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


def bits(mask: int) -> Iterator[int]:
    """The places of the bits that are set, from the lowest."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def last_name(path: str) -> str:
    """What imports call a file: the last part of its dotted name."""
    folder, base = os.path.split(path)
    return os.path.basename(folder) if base == "__init__.py" else base.partition(".")[0]
