"""Instances of the project's classes."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from breaklint.interp.values import Value

if TYPE_CHECKING:
    from breaklint.project.module import ClassInfo


class Instance(Value):
    """An instance of a class of the project, with what is known of its attributes.

    `outside`: made before the traced code runs, by a constructor or at module level.
    """

    __slots__ = ("_count", "_late", "_order", "_pending", "attrs", "cls", "outside", "ready")
    __repr__ = object.__repr__  # instances hold each other

    def __init__(self, cls: ClassInfo, outside: bool) -> None:
        self.cls, self.outside = cls, outside
        self.attrs: dict[str, Value] = {}
        self.ready = False
        self._late: Callable[[], None] | None = None  # its constructor, when that has been put off as a whole
        # What was put off, by the names that it may store, in the order of the program: what a statement that was put
        # off puts off itself comes before what follows that statement.
        self._pending: dict[str, list[tuple[tuple[int, ...], Callable[[], None]]]] = {}
        self._order: tuple[int, ...] = ()
        self._count = 0

    def get(self, name: str) -> Value | None:
        """What is stored under a name (`*`: under names that are not known), once all that may store it has run."""
        if self._late is not None:
            self._build()
        if name in self._pending:
            self._settle(name)
        return self.attrs.get(name)

    def build_later(self, build: Callable[[], None]) -> None:
        """Leave the constructor until an attribute is asked for."""
        self._late = build

    def put_off(self, stores: Iterable[str], run: Callable[[], None]) -> None:
        """Leave a statement until one of the attributes that it may store is asked for. It may be told to run twice."""
        self._count += 1
        entry = ((*self._order, self._count), run)
        for name in stores or ("",):
            insort(self._pending.setdefault(name, []), entry)

    def settle(self) -> None:
        """Run all that was put off."""
        if self._late is not None:
            self._build()
        while self._pending:
            self._settle(next(iter(self._pending)))

    def forget(self) -> None:
        """Let go of what the object holds, which may hold the object."""
        self._late = None
        self._pending.clear()
        self.attrs.clear()

    def _settle(self, name: str) -> None:
        for order, run in self._pending.pop(name, ()):
            outer, self._order = self._order, order
            run()
            self._order = outer
            self._settle(name)

    def _build(self) -> None:
        build, self._late = self._late, None
        assert build is not None
        build()
