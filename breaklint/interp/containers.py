"""Dicts, and the containers that a value holds. Lists and tuples are in sequences.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from breaklint.interp.heap import Key, next_serial
from breaklint.interp.lattice import UNKNOWN, Union, Value, join
from breaklint.interp.sequences import MAX_ITEMS, NO_PARTS, Container, Sequence, Tuple, join_known
from breaklint.interp.values import Const


class _Absent(Value):
    """The absence of a value under a key of a dict: the key may be missing."""

    __slots__ = ()


ABSENT: Final = _Absent()


NO_KEYS: Final = frozenset[Any]()


class Dict(Container):
    """A dict; `items` by constant key, `rest` the join of values under unknown keys.

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
        result: dict[Any, Value] = {}
        for part in self._dicts():
            for name in part._items:
                result[name] = UNKNOWN
        for name in result:
            result[name] = join_known(part._items.get(name, part._rest) for part in self._dicts()) or UNKNOWN
        return result

    @property
    def rest(self) -> Value | None:
        """The join of the values under unknown keys, None if all keys are known."""
        self._is_read = True
        if not self.parts:
            return self._rest
        return join_known(part._rest for part in self._dicts())

    @property
    def optional(self) -> frozenset[Any]:
        """The keys of `items` that may be missing."""
        self._is_read = True
        if not self.parts:
            return self._optional
        sure = [part._items.keys() - part._optional for part in self._dicts()]
        return frozenset(self.items.keys() - sure[0].intersection(*sure[1:]))

    def _dicts(self) -> Iterable[Dict]:
        """The dicts that this joined dict may be; they count as read."""
        for part in self.each_part():
            if isinstance(part, Dict):
                part._is_read = True
                yield part

    def fill(self, items: dict[Any, Value], rest: Value | None) -> None:
        """Set the items of a new dict."""
        self._items, self._rest = items, rest

    def update(self, other: Dict) -> None:
        """Copy the items of another dict into a new dict."""
        self._optional |= {name for name in other.optional if name not in self._items}
        for name, item in other.items.items():
            self.store(Const(name), item)
        if other.rest is not None:
            self.store(UNKNOWN, other.rest)

    def copy(self) -> Dict:
        """Another dict with the same contents."""
        return Dict(dict(self.items), self.rest, self.optional)

    def get(self, key: Value) -> Value:
        """The value under `key`; Unknown if it may be any value."""
        return self.lookup(key, None) or UNKNOWN

    def lookup(self, key: Value, default: Value | None) -> Value | None:
        """The value of `key`, joined with `default` if the key may be missing."""
        self._is_read = True
        if self.parts:
            return join_known(part.lookup(key, default) for part in self._dicts())
        if not isinstance(key, Const):
            return join_known((*self._items.values(), self._rest, default))
        item = self._items.get(key.value)
        sure = item is not None and key.value not in self._optional
        return item if sure else join_known((item or self._rest, default))

    def lacks(self, key: Const) -> bool:
        """Whether no value has been stored under this key itself."""
        return key.value not in self._items

    def any(self) -> Value:
        """The join of all values."""
        return join_known((*self.items.values(), self.rest)) or UNKNOWN

    def value_at(self, key: Key) -> Value | None:
        """The value of the key if it is a constant, else the join of all values."""
        return self._items.get(key.value) if isinstance(key, Const) else join_known((*self._items.values(), self._rest))

    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Store under a key, joined with the previous value; returns whether the dict changed.

        An unknown key may be any of the known keys. `ABSENT` means that the key may be missing.
        """
        if isinstance(key, Const) and strong:
            changed = self._replace(key.value, value)
        elif isinstance(key, Const):
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

    def _replace(self, name: Any, value: Value) -> bool:
        """Store under a key, replacing the previous value."""
        old = self._items.pop(name, None) if value is ABSENT else self._items.get(name)
        if value is not ABSENT:
            self._items[name] = value
        self._optional -= {name}
        return old != value

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
        """A new dict, for the join of both."""
        return Dict()


MAY_HOLD_CONTAINERS: Final = frozenset({Sequence, Dict, Tuple, Union})


def containers_in(value: Value) -> Iterator[Sequence | Dict]:
    """The lists and dicts that a value is or holds, each once."""
    todo: list[Any] = [value]
    seen = set[int]()
    while todo:
        current = todo.pop()
        kind = type(current)
        if kind is Union:
            parts = current.options
        elif kind is Tuple:
            parts = current.items
        elif kind not in MAY_HOLD_CONTAINERS or id(current) in seen:
            continue
        elif current.parts:
            parts = current.parts
        else:
            seen.add(id(current))
            yield current
            # The access does not count as a read.
            parts = (current._element,) if kind is Sequence else (*current._items.values(), current._rest)
        if not MAY_HOLD_CONTAINERS.isdisjoint(map(type, parts)):
            todo += parts


__all__ = [
    "ABSENT",
    "MAX_ITEMS",
    "MAY_HOLD_CONTAINERS",
    "NO_KEYS",
    "Container",
    "Dict",
    "Sequence",
    "Tuple",
    "containers_in",
]
