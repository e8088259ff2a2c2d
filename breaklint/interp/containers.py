"""Rows and dicts, which have identity and only ever grow."""

from __future__ import annotations

from typing import Any

from breaklint.interp import lattice
from breaklint.interp.values import UNKNOWN, Const, Value


class Sequence(Value):
    """A list, set, generator or tuple of unknown length. `items` while every item is known, else None."""

    __slots__ = ("element", "items", "kind")
    __repr__ = object.__repr__

    def __init__(self, element: Value | None = None, items: list[Value] | None = None, kind: str = "list") -> None:
        self.items = items
        self.kind = kind
        self.element: Value | None = element if items is None else lattice.join_all(items)

    def add(self, value: Value) -> None:
        """One more item (append, add): from here on only the join of the items is known."""
        self.items = None
        self.element = value if self.element is None else lattice.join(self.element, value)


class Dict(Value):
    """A dict; `items` by constant key, `rest` the join of values under keys that are not known."""

    __slots__ = ("items", "rest")
    __repr__ = object.__repr__

    def __init__(self, items: dict[Any, Value] | None = None, rest: Value | None = None) -> None:
        self.items = items or {}
        self.rest = rest

    def get(self, key: Value) -> Value:
        """The value under `key`; Unknown when it may be anything."""
        if isinstance(key, Const):
            found = self.items.get(key.value, self.rest)
            return UNKNOWN if found is None else found
        return self.any()

    def any(self) -> Value:
        """The join of all values."""
        values = [*self.items.values(), *([self.rest] if self.rest else [])]
        return lattice.join_all(values) or UNKNOWN

    def put(self, key: Value, value: Value) -> None:
        """Store weakly: what was there may still be."""
        if isinstance(key, Const):
            old = self.items.get(key.value)
            self.items[key.value] = value if old is None else lattice.join(old, value)
        else:
            self.rest = value if self.rest is None else lattice.join(self.rest, value)
