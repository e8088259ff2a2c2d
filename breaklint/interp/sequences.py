"""Tuples, lists and other sequences, and their common base with dicts: objects with identity."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from breaklint.interp.heap import HeapObject, Key, next_serial
from breaklint.interp.lattice import UNKNOWN, Value, join, join_all
from breaklint.interp.values import Compound

MAX_ITEMS: Final = 4096  # of a sequence that is concatenated from others: it may double with every line
MAX_PARTS: Final = 16  # containers that a joined one may represent


class Tuple(Compound):
    """A tuple (or another immutable sequence) whose items are all known."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[Value, ...]) -> None:
        self.items = items

    def sort(self) -> object:
        """Tuples have one sort, including those of unknown length."""
        return Tuple

    def merge(self, other: Tuple | Sequence) -> Value:
        """Item by item if the lengths agree, else a tuple of unknown length."""
        if isinstance(other, Tuple) and len(self.items) == len(other.items):
            return Tuple(tuple(join(mine, its) for mine, its in zip(self.items, other.items, strict=True)))
        return _tuple_of_any_length(self, other)


NO_PARTS: Final[tuple[Container, ...]] = ()


class Container(HeapObject):
    """A list or dict, which has identity.

    The join of two represents either (`parts`), and is a list or dict itself: a store in it is a store in both.
    """

    __slots__ = ("_is_read", "parts")

    parts: tuple[Container, ...]
    _is_read: bool  # whether its content was read

    def is_read(self, _key: Key) -> bool:
        """Whether its items have been read."""
        return self._is_read

    def each_part(self) -> tuple[Container, ...]:
        """The containers that it may be, in the order of their creation."""
        return self.parts or (self,)

    def sort(self) -> object:
        """Containers of one class have one sort."""
        return type(self)

    def merge(self, other: Container) -> Value:
        """A container for either; Unknown if it represents too many."""
        parts = {part.serial: part for part in (*self.each_part(), *other.each_part())}
        for side in (self, other):
            if len(parts) == len(side.parts):
                return side
        if len(parts) > MAX_PARTS:
            return UNKNOWN
        result = self.joined(other)
        result.parts = tuple(part for _, part in sorted(parts.items()))
        return result

    def joined(self, other: Any) -> Container:
        """A new container, for the join of this and another one."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Container) and bool(self.parts) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts) if self.parts else object.__hash__(self)


class Sequence(Container):
    """A list, set, generator, or a tuple of unknown length.

    `items` are the items if all are known, else None. `element` is the join of the items, None if there are none. A
    tuple cannot change: two are equal if their items are.
    """

    __slots__ = ("_element", "_items", "kind")

    def __init__(self, element: Value | None = None, items: list[Value] | None = None, kind: str = "list") -> None:
        # Inlined, for speed.
        self.serial, self.version, self.parts, self._is_read = next_serial(), 0, NO_PARTS, False
        self._items = items
        self.kind = kind
        self._element = element if items is None else join_all(items)

    @property
    def items(self) -> list[Value] | None:
        """The items, None if not all are known."""
        self._is_read = True
        return self._items

    @property
    def element(self) -> Value | None:
        """The join of the items, None if the sequence is known to be empty."""
        self._is_read = True
        if not self.parts:
            return self._element
        return join_known(part.element for part in self.each_part() if isinstance(part, Sequence))

    def fill(self, items: list[Value]) -> None:
        """Set the items of a new sequence."""
        self._items, self._element = items, join_all(items)

    def copy(self) -> Sequence:
        """Another sequence with the same items."""
        return Sequence(self.element, list(self.items) if self.items is not None else None, self.kind)

    def value_at(self, key: Key) -> Value | None:
        """The items if they are known, else the join of all items."""
        return self._element if self._items is None else Tuple(tuple(self._items))

    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Join an item into the sequence, or replace the item at `key` if `strong`; returns whether it changed."""
        place = getattr(key, "value", None)
        if strong and self._items is not None and type(place) is int and -len(self._items) <= place < len(self._items):
            self._items[place] = value
            self.fill(self._items)
            self.version += 1
            return True
        element = value if self._element is None else join(self._element, value)
        if element == self._element and self._items is None:
            return False
        self._element, self._items = element, None
        self.version += 1
        return True

    def sort(self) -> object:
        """All sequences except tuples have one sort."""
        return Tuple if self.kind == "tuple" else Sequence

    def merge(self, other: Tuple | Sequence) -> Value:  # type: ignore[override]
        """A sequence for either; for tuples, one of unknown length."""
        if self.kind == "tuple" or isinstance(other, Tuple):
            return _tuple_of_any_length(self, other)
        return super().merge(other)

    def joined(self, other: Sequence) -> Sequence:
        """A new sequence of the common kind; a list if the kinds differ."""
        return Sequence(kind=self.kind if self.kind == other.kind else "list")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Sequence) and self.kind == "tuple" == other.kind:
            return self is other or (self._items == other._items and self._element == other._element)
        return super().__eq__(other)

    def __hash__(self) -> int:
        if self.kind == "tuple":
            return hash(self._element)
        return hash(self.parts) if self.parts else object.__hash__(self)


def _tuple_of_any_length(first: Tuple | Sequence, second: Tuple | Sequence) -> Sequence:
    elements = (join_all(side.items) if isinstance(side, Tuple) else side.element for side in (first, second))
    return Sequence(join_known(elements), kind="tuple")


def join_known(values: Iterable[Value | None]) -> Value | None:
    """The join of the values that are not None; None if all are."""
    return join_all(value for value in values if value is not None)
