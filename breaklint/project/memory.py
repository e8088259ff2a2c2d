"""The memory of a project: which parsed files stay loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

MAX_PARSED: Final = 1_500_000  # characters of a file and its imports; a tree takes thirty times that in memory
HALF_LIFE: Final = 16  # checked files after which a request of a file counts half


class Memory:
    """The parsed characters and the recent requests of files, by path."""

    def __init__(self) -> None:
        self._lengths: dict[str, int] = {}
        self._total = 0
        self._turn = 0
        self._use: dict[str, tuple[int, float]] = {}  # when a file was last requested, and its use then

    def begin(self, turn: int, requested: Iterable[str]) -> None:
        """Begin a turn, which is the check of a file; the previous one has requested some files."""
        self._turn = turn
        for path in requested:
            self._use[path] = turn, self._use_of(path) + 1

    def count(self, path: str, length: int) -> None:
        """Store how many characters of a file have been parsed."""
        self._total += length - self._lengths.get(path, 0)
        self._lengths[path] = length

    def drop(self, path: str) -> None:
        """Release the characters of a file."""
        self._total -= self._lengths.pop(path, 0)

    def to_drop(self, paths: Iterable[str], length: int) -> Iterator[str]:
        """The files of least use lately that have to be dropped before a text of a length fits in."""
        excess = self._total + length - MAX_PARSED
        for path in sorted(paths, key=self._use_of) if excess > 0 else ():
            if excess > 0:
                excess -= self._lengths[path]
                yield path

    def _use_of(self, path: str) -> float:
        """The number of recent turns that have requested a file; older requests count less.

        Modules that nearly all files import are kept, even if the last file did not need them.
        """
        turn, use = self._use.get(path, (0, 0.0))
        return float(use * 0.5 ** ((self._turn - turn) / HALF_LIFE))
