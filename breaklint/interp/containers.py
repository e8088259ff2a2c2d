"""Tuples, lists and other sequences, dicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from breaklint.interp.heap import HeapObject, Key
from breaklint.interp.lattice import UNKNOWN, Union, Value, join, join_all
from breaklint.interp.values import Compound, Const

MAX_ITEMS: Final = 4096  # of a sequence that is put together from others: it may double with every line
MAX_PARTS: Final = 16  # lists that one joined list may stand for


class Tuple(Compound):
    """A tuple (or another immutable sequence) whose every item is known."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[Value, ...]) -> None:
        self.items = items

    def _parts(self) -> tuple[object, ...]:
        return (self.items,)

    def sort(self) -> object:
        """Tuples are one sort, those of unknown length too."""
        return Tuple

    def merge(self, other: Tuple | Sequence) -> Value:
        """Item by item where the lengths agree, else a tuple of unknown length."""
        if isinstance(other, Tuple) and len(self.items) == len(other.items):
            return Tuple(tuple(join(mine, its) for mine, its in zip(self.items, other.items, strict=True)))
        return _tuple_of_any_length(self, other)


class Sequence(HeapObject, Value):
    """A list, set, generator, or a tuple of unknown length.

    `items` while every item is known, else None; `element` is the join of the items, None when there are none. Lists
    have identity. The join of two of them stands for either (`parts`): what is appended to it is appended to both. A
    tuple cannot change, so that its identity says nothing: two are equal when their items are.
    """

    __slots__ = ("_element", "items", "kind", "parts")

    def __init__(self, element: Value | None = None, items: list[Value] | None = None, kind: str = "list") -> None:
        super().__init__()
        self.items = items
        self.kind = kind
        self.parts: frozenset[Sequence] = frozenset()
        self._element = element if items is None else join_all(items)

    @property
    def element(self) -> Value | None:
        """The join of the items, None when the sequence is known to be empty."""
        if not self.parts:
            return self._element
        return join_all(part._element for part in self.each_part() if part._element is not None)

    def each_part(self) -> Iterable[Sequence]:
        """The sequences it may be, in the order in which they were made."""
        return sorted(self.parts, key=lambda part: part.serial) if self.parts else (self,)

    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Join an item into every part, wherever it is put; whether that changed anything."""
        changed = False
        for part in self.each_part():
            element = value if part._element is None else join(part._element, value)
            if element != part._element or part.items is not None:
                part._element, part.items, changed = element, None, True
                part.version += 1
        return changed

    def sort(self) -> object:
        """All sequences that are no tuples are one sort."""
        return Tuple if self.kind == "tuple" else Sequence

    def merge(self, other: Tuple | Sequence) -> Value:
        """A sequence that stands for either; Unknown when it stands for too many."""
        if self.kind == "tuple" or isinstance(other, Tuple):
            return _tuple_of_any_length(self, other)
        parts = frozenset((*self.each_part(), *other.each_part()))
        if len(parts) > MAX_PARTS:
            return UNKNOWN
        made = Sequence(kind=self.kind if self.kind == other.kind else "list")
        made.parts = parts
        return made

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Sequence):
            return False
        if self.kind == "tuple" == other.kind:
            return self.items == other.items and self._element == other._element
        return bool(self.parts) and self.parts == other.parts

    def __hash__(self) -> int:
        if self.kind == "tuple":
            return hash(self._element)
        return hash(self.parts) if self.parts else object.__hash__(self)


def _tuple_of_any_length(first: Tuple | Sequence, second: Tuple | Sequence) -> Sequence:
    elements = (join_all(side.items) if isinstance(side, Tuple) else side.element for side in (first, second))
    return Sequence(join_all(element for element in elements if element is not None), kind="tuple")


class Dict(HeapObject, Value):
    """A dict; `items` by constant key, `rest` the join of values under keys that are not known."""

    __slots__ = ("items", "rest")

    def __init__(self, items: dict[Any, Value] | None = None, rest: Value | None = None) -> None:
        super().__init__()
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
        return join_all(values) or UNKNOWN

    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Store under a key (what was there may still be); whether that changed anything."""
        known = key.value if isinstance(key, Const) else self
        old = self.rest if known is self else self.items.get(known)
        new = value if old is None else join(old, value)
        if new == old:
            return False
        if known is self:
            self.rest = new
        else:
            self.items[known] = new
        self.version += 1
        return True


MAY_HOLD_CONTAINERS: Final = frozenset({Sequence, Dict, Tuple, Union})


def containers_in(value: Value) -> Iterator[Sequence | Dict]:
    """The lists and dicts that a value is or holds, each once."""
    todo, seen = [value], set[HeapObject]()
    while todo:
        current = todo.pop()
        if type(current) not in MAY_HOLD_CONTAINERS:
            continue
        if isinstance(current, Sequence) and current.parts:
            todo += current.parts
        elif isinstance(current, (Sequence, Dict)):
            if current not in seen:
                seen.add(current)
                yield current
                todo += _held(current)
        else:
            todo += current.options if isinstance(current, Union) else current.items  # type: ignore[attr-defined]


def _held(container: Sequence | Dict) -> Iterable[Value]:
    held = (container.element,) if isinstance(container, Sequence) else (*container.items.values(), container.rest)
    return (value for value in held if value is not None)
