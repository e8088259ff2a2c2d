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


NO_PARTS: Final[tuple[Container, ...]] = ()


class Container(HeapObject, Value):
    """A list or dict, which has identity.

    The join of two stands for either (`parts`), and is a list or dict, too: what is stored in it is stored in both.
    """

    __slots__ = ("_is_read", "parts")

    parts: tuple[Container, ...]
    _is_read: bool  # whether anybody has asked what it holds

    def is_read(self, _key: Key) -> bool:
        """Whether anybody has asked what it holds."""
        return self._is_read

    def each_part(self) -> tuple[Container, ...]:
        """The containers that it may be, in the order in which they were made."""
        return self.parts or (self,)

    def sort(self) -> object:
        """Containers of a class are one sort."""
        return type(self)

    def merge(self, other: Container) -> Value:
        """A container that stands for either; Unknown when it stands for too many."""
        parts = {part.serial: part for part in (*self.each_part(), *other.each_part())}
        for side in (self, other):
            if len(parts) == len(side.parts):
                return side
        if len(parts) > MAX_PARTS:
            return UNKNOWN
        made = self.joined(other)
        made.parts = tuple(part for _, part in sorted(parts.items()))
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

    __slots__ = ("_element", "_items", "kind")

    def __init__(self, element: Value | None = None, items: list[Value] | None = None, kind: str = "list") -> None:
        # Written out, not called: these are made very often.
        self.serial, self.version, self.parts, self._is_read = next_serial(), 0, NO_PARTS, False
        self._items = items
        self.kind = kind
        self._element = element if items is None else join_all(items)

    @property
    def items(self) -> list[Value] | None:
        """The items while every one of them is known."""
        self._is_read = True
        return self._items

    @property
    def element(self) -> Value | None:
        """The join of the items, None when the sequence is known to be empty."""
        self._is_read = True
        if not self.parts:
            return self._element
        return _joined(part.element for part in self.each_part() if isinstance(part, Sequence))

    def fill(self, items: list[Value]) -> None:
        """Put the items into a sequence that has just been made."""
        self._items, self._element = items, join_all(items)

    def held(self, key: Key) -> Value | None:
        """Its items while they are known, else what each of them may be."""
        return self._element if self._items is None else Tuple(tuple(self._items))

    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Join an item into the sequence, wherever it is put; whether that changed anything."""
        element = value if self._element is None else join(self._element, value)
        if element == self._element and self._items is None:
            return False
        self._element, self._items = element, None
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
            return self is other or (self._items == other._items and self._element == other._element)
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(self._element) if self.kind == "tuple" else super().__hash__()


def _tuple_of_any_length(first: Tuple | Sequence, second: Tuple | Sequence) -> Sequence:
    elements = (join_all(side.items) if isinstance(side, Tuple) else side.element for side in (first, second))
    return Sequence(_joined(elements), kind="tuple")


class _Absent(Value):
    """Nothing, stored under the key of a dict: the key may be missing."""

    __slots__ = ()


ABSENT: Final = _Absent()


def _joined(values: Iterable[Value | None]) -> Value | None:
    return join_all(value for value in values if value is not None)


NO_KEYS: Final = frozenset[Any]()


class Dict(Container):
    """A dict; `items` by constant key, `rest` the join of values under keys that are not known.

    `optional` are the keys of `items` that may be missing.
    """

    __slots__ = ("_items", "_optional", "_rest")

    def __init__(
        self, items: dict[Any, Value] | None = None, rest: Value | None = None, optional: frozenset[Any] = NO_KEYS
    ) -> None:
        self.serial, self.version, self.parts, self._is_read = next_serial(), 0, NO_PARTS, False
        self._items = items or {}
        self._rest = rest
        self._optional = optional

    @property
    def items(self) -> dict[Any, Value]:
        """The values under constant keys."""
        self._is_read = True
        if not self.parts:
            return self._items
        found: dict[Any, Value] = {}
        for part in self._dicts():
            for name in part._items:
                found[name] = UNKNOWN
        for name in found:
            found[name] = _joined(part._items.get(name, part._rest) for part in self._dicts()) or UNKNOWN
        return found

    @property
    def rest(self) -> Value | None:
        """The join of the values under keys that are not known, None when all are."""
        self._is_read = True
        if not self.parts:
            return self._rest
        return _joined(part._rest for part in self._dicts())

    @property
    def optional(self) -> frozenset[Any]:
        """The keys of `items` that may be missing."""
        self._is_read = True
        if not self.parts:
            return self._optional
        sure = [part._items.keys() - part._optional for part in self._dicts()]
        return frozenset(self.items.keys() - sure[0].intersection(*sure[1:]))

    def _dicts(self) -> Iterable[Dict]:
        """The dicts that it may be, which are read through it."""
        for part in self.each_part():
            if isinstance(part, Dict):
                part._is_read = True
                yield part

    def fill(self, items: dict[Any, Value], rest: Value | None) -> None:
        """Put the items into a dict that has just been made."""
        self._items, self._rest = items, rest

    def update(self, other: Dict) -> None:
        """Store what another dict holds in a dict that has just been made."""
        self._optional |= {name for name in other.optional if name not in self._items}
        for name, item in other.items.items():
            self.store(Const(name), item)
        if other.rest is not None:
            self.store(UNKNOWN, other.rest)

    def copy(self) -> Dict:
        """Another dict of the same contents."""
        return Dict(dict(self.items), self.rest, self.optional)

    def get(self, key: Value) -> Value:
        """The value under `key`; Unknown when it may be anything."""
        return self.lookup(key, None) or UNKNOWN

    def lookup(self, key: Value, default: Value | None) -> Value | None:
        """What is under `key`, or `default` where nothing may be."""
        self._is_read = True
        if self.parts:
            return _joined(part.lookup(key, default) for part in self._dicts())
        if not isinstance(key, Const):
            return _joined((*self._items.values(), self._rest, default))
        found = self._items.get(key.value)
        sure = found is not None and key.value not in self._optional
        return found if sure else _joined((found or self._rest, default))

    def lacks(self, key: Const) -> bool:
        """Whether nothing has been stored under a key itself."""
        return key.value not in self._items

    def any(self) -> Value:
        """The join of all values."""
        return _joined((*self.items.values(), self.rest)) or UNKNOWN

    def held(self, key: Key) -> Value | None:
        """What is under the key, if it is known; else all there is."""
        return self._items.get(key.value) if isinstance(key, Const) else _joined((*self._items.values(), self._rest))

    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Store under a key (what was there may still be); whether that changed anything.

        A key that is not known may be any of those that are. `ABSENT` says that nothing may be there.
        """
        if isinstance(key, Const):
            changed = self._store(key.value, value)
        else:
            changed = False
            for name in self._items:
                changed |= self._store(name, value)
            new = value if self._rest is None else join(self._rest, value)
            if value is not ABSENT and new != self._rest:
                self._rest, changed = new, True
        self.version += changed
        return changed

    def _store(self, name: Any, value: Value) -> bool:
        old = self._items.get(name)
        if value is ABSENT:
            missing = old is not None and name not in self._optional
            if missing:
                self._optional |= {name}
                if self._rest is not None:
                    self._items[name] = join(self._items[name], self._rest)
            return missing
        new = value if old is None else join(old, value)
        self._items[name] = new
        return new != old

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
    """What a container that is no joined one holds, which does not count as read."""
    held = (container._element,) if isinstance(container, Sequence) else (*container._items.values(), container._rest)
    return (value for value in held if value is not None)
