"""Instances of the project's classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from breaklint.analysis.values import Value

if TYPE_CHECKING:
    from breaklint.analysis.module import ClassInfo


class Instance(Value):
    """An instance of a class of the project, with what is known of its attributes.

    `outside`: made before the traced code runs, by a constructor or at module level.
    """

    __slots__ = ("_late", "_pending", "attrs", "cls", "outside", "ready")

    def __init__(self, cls: ClassInfo, outside: bool) -> None:
        self.cls, self.outside = cls, outside
        self.attrs: dict[str, Value] = {}
        self.ready = False
        self._late: Callable[[], None] | None = None  # its constructor, when that has been put off as a whole
        self._pending: dict[str, list[Callable[[], None]]] = {}  # what was put off, by the names that it may store

    def get(self, name: str) -> Value | None:
        """What is stored under a name (`*`: under names that are not known), once all that may store it has run."""
        if self._late is not None:
            self._build()
        while name in self._pending:  # what runs may put off some of its own statements
            for run in self._pending.pop(name):
                run()
        return self.attrs.get(name)

    def build_later(self, build: Callable[[], None]) -> None:
        """Leave the constructor until an attribute is asked for."""
        self._late = build

    def put_off(self, stores: Iterable[str], run: Callable[[], None]) -> None:
        """Leave a statement until one of the attributes that it may store is asked for. It may be told to run twice."""
        for name in stores or ("",):
            self._pending.setdefault(name, []).append(run)

    def settle(self) -> None:
        """Run all that was put off."""
        if self._late is not None:
            self._build()
        while self._pending:
            for run in self._pending.pop(next(iter(self._pending))):
                run()

    def _build(self) -> None:
        build, self._late = self._late, None
        assert build is not None
        build()
