"""Tuples, lists and other sequences, dicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from breaklint.interp.heap import HeapObject, Key, next_serial
from breaklint.interp.lattice import UNKNOWN, Union, Value, join, join_all
from breaklint.interp.values import Compound, Const

MAX_ITEMS: Final = 4096  # of a sequence that is put together from others: it may double with every line
MAX_PARTS: Final = 16  # containers that a joined one may stand for


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


NO_PARTS: Final = frozenset["Container"]()


class Container(HeapObject, Value):
    """A list or dict, which has identity.

    The join of two stands for either (`parts`), and is a list or dict, too: what is stored in it is stored in both.
    """

    __slots__ = ("parts",)

    parts: frozenset[Container]

    def each_part(self) -> Iterable[Container]:
        """The containers that it may be, in the order in which they were made."""
        return sorted(self.parts, key=lambda part: part.serial) if self.parts else (self,)

    def sort(self) -> object:
        """Containers of a class are one sort."""
        return type(self)

    def merge(self, other: Container) -> Value:
        """A container that stands for either; Unknown when it stands for too many."""
        parts = frozenset((*self.each_part(), *other.each_part()))
        if len(parts) > MAX_PARTS:
            return UNKNOWN
        made = self.joined(other)
        made.parts = parts
        return made

    def joined(self, other: Any) -> Container:
        """A new container of the kind of this and another one."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Container) and bool(self.parts) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts) if self.parts else object.__hash__(self)


class Sequence(Container):
    """A list, set, generator, or a tuple of unknown length.

    `items` while every item is known, else None; `element` is the join of the items, None when there are none. A tuple
    cannot change, so that its identity says nothing: two are equal when their items are.
    """

    __slots__ = ("_element", "items", "kind")

    def __init__(self, element: Value | None = None, items: list[Value] | None = None, kind: str = "list") -> None:
        # Written out, not called: these are made very often.
        self.serial, self.version, self.parts = next_serial(), 0, NO_PARTS
        self.items = items
        self.kind = kind
        self._element = element if items is None else join_all(items)

    @property
    def element(self) -> Value | None:
        """The join of the items, None when the sequence is known to be empty."""
        if not self.parts:
            return self._element
        elements = (part.element for part in self.each_part() if isinstance(part, Sequence))
        return join_all(element for element in elements if element is not None)

    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Join an item into the sequence, wherever it is put; whether that changed anything."""
        element = value if self._element is None else join(self._element, value)
        if element == self._element and self.items is None:
            return False
        self._element, self.items = element, None
        self.version += 1
        return True

    def sort(self) -> object:
        """All sequences that are no tuples are one sort."""
        return Tuple if self.kind == "tuple" else Sequence

    def merge(self, other: Tuple | Sequence) -> Value:  # type: ignore[override]
        """A sequence that stands for either; of tuples, one of unknown length."""
        if self.kind == "tuple" or isinstance(other, Tuple):
            return _tuple_of_any_length(self, other)
        return super().merge(other)

    def joined(self, other: Sequence) -> Sequence:
        """A new sequence of the kind of both; where they differ, a list."""
        return Sequence(kind=self.kind if self.kind == other.kind else "list")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Sequence) and self.kind == "tuple" == other.kind:
            return self is other or (self.items == other.items and self._element == other._element)
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(self._element) if self.kind == "tuple" else super().__hash__()


def _tuple_of_any_length(first: Tuple | Sequence, second: Tuple | Sequence) -> Sequence:
    elements = (join_all(side.items) if isinstance(side, Tuple) else side.element for side in (first, second))
    return Sequence(join_all(element for element in elements if element is not None), kind="tuple")


class Dict(Container):
    """A dict; `items` by constant key, `rest` the join of values under keys that are not known."""

    __slots__ = ("_items", "_rest")

    def __init__(self, items: dict[Any, Value] | None = None, rest: Value | None = None) -> None:
        self.serial, self.version, self.parts = next_serial(), 0, NO_PARTS
        self._items = items or {}
        self._rest = rest

    @property
    def items(self) -> dict[Any, Value]:
        """The values under constant keys."""
        if not self.parts:
            return self._items
        found: dict[Any, Value] = {}
        for part in self.each_part():
            for name, value in part._items.items() if isinstance(part, Dict) else ():
                found[name] = join(found[name], value) if name in found else value
        return found

    @property
    def rest(self) -> Value | None:
        """The join of the values under keys that are not known, None when all are."""
        if not self.parts:
            return self._rest
        rests = (part._rest for part in self.each_part() if isinstance(part, Dict))
        return join_all(rest for rest in rests if rest is not None)

    def get(self, key: Value) -> Value:
        """The value under `key`; Unknown when it may be anything."""
        if isinstance(key, Const):
            found = self.items.get(key.value, self.rest)
            return UNKNOWN if found is None else found
        return self.any()

    def any(self) -> Value:
        """The join of all values."""
        rest = self.rest
        return join_all([*self.items.values(), *([] if rest is None else [rest])]) or UNKNOWN

    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Store under a key (what was there may still be); whether that changed anything."""
        old = self._items.get(key.value) if isinstance(key, Const) else self._rest
        new = value if old is None else join(old, value)
        if new == old:
            return False
        if isinstance(key, Const):
            self._items[key.value] = new
        else:
            self._rest = new
        self.version += 1
        return True

    def joined(self, other: Dict) -> Dict:
        """A new dict."""
        return Dict()


MAY_HOLD_CONTAINERS: Final = frozenset({Sequence, Dict, Tuple, Union})


def containers_in(value: Value) -> Iterator[Sequence | Dict]:
    """The lists and dicts that a value is or holds, each once."""
    todo, seen = [value], set[HeapObject]()
    while todo:
        current = todo.pop()
        if type(current) not in MAY_HOLD_CONTAINERS:
            continue
        if isinstance(current, Container) and current.parts:
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
