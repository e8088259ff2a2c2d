"""The lattice of abstract values: `join`, and the operands of a join.

`join` is a least upper bound: commutative, associative, idempotent, and absorbed by `UNKNOWN`, the top. Every value has
a sort. Values of one sort join to one value of that sort; values of different sorts join to a `Union` that keeps one
value of each. Only `merge` of one sort can therefore violate these properties. tests/interp/test_lattice.py checks them
on generated values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final, TypeVar

MAX_FAMILIES: Final = 5  # kinds of values in a Union
MAX_OPTIONS: Final = 24  # values in a Union: a list may hold many instances, which are of one family


class Value:
    """Base of all abstract values: the inference about a Python value while Dynamo traces it."""

    __slots__ = ()

    def sort(self) -> object:
        """The sort of the value for joins. A value that is alone in its sort is the sort itself."""
        return self

    def family(self) -> object:
        """The key by which the limit of a Union counts an option."""
        return self.sort()

    def merge(self, other: Any) -> Value:
        """The least upper bound of this value and another one of its sort."""
        return self

    def __repr__(self) -> str:
        slots: tuple[str, ...] = type(self).__slots__
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in slots)
        return f"{type(self).__name__}({fields})"


AnyInterned = TypeVar("AnyInterned", bound="Interned")


class Interned(Value):
    """A value that is compared by identity: equal fields, in the order of `__slots__`, are one object."""

    __slots__ = ()
    _instances: ClassVar[dict[tuple[object, ...], Any]]
    _fields: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        cls._instances, cls._fields = {}, vars(cls)["__slots__"]

    @classmethod
    def _of(cls: type[AnyInterned], fields: tuple[object, ...]) -> AnyInterned:
        """The instance with these fields."""
        value = cls._instances.get(fields)
        if value is None:
            value = cls._instances[fields] = object.__new__(cls)
            for name, field in zip(cls._fields, fields, strict=True):
                setattr(value, name, field)
        return value


class Unknown(Interned):
    """No information: the top of the lattice, on which rules stay silent."""

    __slots__ = ()

    def __new__(cls) -> Unknown:
        """Return the one instance."""
        return cls._of(())


UNKNOWN: Final = Unknown()


class Union(Value):
    """One of a few values, each of another sort, without Unknown and nested Unions; the order has no meaning."""

    __slots__ = ("_set", "cached_without_none", "options")

    def __init__(self, values: tuple[Value, ...]) -> None:
        self.options, self._set = values, frozenset(values)
        # The Union without None, once it has been computed; UNKNOWN if there is no None in it: a reference to itself
        # would leave the Union to the garbage collector.
        self.cached_without_none: Value | None = None

    def covers(self, value: Value) -> bool:
        """Whether each option of a value is an option of this Union."""
        return value._set <= self._set if isinstance(value, Union) else value in self._set

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Union) and self._set == other._set

    def __hash__(self) -> int:
        return hash(self._set)


def join(a: Value, b: Value) -> Value:
    """The least upper bound of two values."""
    if a is b:
        return a
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    if a == b:
        return a
    if type(a) is Union:
        if a.covers(b):
            return a
        return b if type(b) is Union and b.covers(a) else _union((*a.options, *options(b)))
    if type(b) is Union:
        return b if b.covers(a) else _union((a, *b.options))
    return a.merge(b) if a.sort() == b.sort() else _union((a, b))


def join_all(values: Iterable[Value]) -> Value | None:
    """The least upper bound of values, None if there are none."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return result


def options(value: Value) -> tuple[Value, ...]:
    """The possible values of a Union, or the value itself."""
    return value.options if type(value) is Union else (value,)


def each(value: Value, function: Callable[[Value], Value]) -> Value:
    """The join of `function` over the options of `value`."""
    if type(value) is not Union:
        return function(value)
    return join_all([function(option) for option in value.options]) or UNKNOWN


def _union(values: tuple[Value, ...]) -> Value:
    """The Union of values, merged sort by sort; Unknown if it has too many options."""
    by_sort: dict[object, Value] = {}
    for value in values:
        sort = value.sort()
        previous = by_sort.get(sort)
        by_sort[sort] = value if previous is None else previous if previous == value else previous.merge(value)
    merged = tuple(by_sort.values())
    if UNKNOWN in merged or len(merged) > MAX_OPTIONS:
        return UNKNOWN
    if len(merged) > MAX_FAMILIES and len({value.family() for value in merged}) > MAX_FAMILIES:
        return UNKNOWN
    return merged[0] if len(merged) == 1 else Union(merged)
