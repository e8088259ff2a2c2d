"""Objects with identity: containers, instances, scopes.

Two variables may refer to one object, so that a store through one is visible through the other. Stores are weak, except
for those in an object that a constructor is building. Every change is counted: a call summary is valid until an object
that it was computed from changes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from itertools import count
from typing import Final, ParamSpec, TypeVar

from breaklint.interp.lattice import Value, join

Key = Value | str | None
Result = TypeVar("Result")
P = ParamSpec("P")
SPACE: Final = 1 << 28  # between the serials of two objects: room for objects of deferred code
_next: Final = count(SPACE, SPACE).__next__
_next_late: Final = count(1).__next__
_late: Final[list[int]] = []  # the serials after which objects of deferred code are numbered


def next_serial() -> int:
    """The number of a new object; a higher number means later creation."""
    return _late[-1] + _next_late() if _late else _next()


def run_late(after: int, run: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
    """Run deferred code with serials that follow `after`: its objects count as created right after that object."""
    start = after - after % SPACE
    _late.append(min(start, _late[-1]) if _late else start)
    try:
        return run(*args, **kwargs)
    finally:
        _late.pop()


class HeapObject(Value):
    """An object with identity. `version` counts its changes; `serial` orders objects by creation."""

    __slots__ = ("serial", "version")
    __repr__ = object.__repr__  # objects may hold each other

    def __init__(self) -> None:
        self.serial = next_serial()
        self.version = 0

    @abstractmethod
    def value_at(self, key: Key) -> Value | None:
        """The inferred value of a key."""

    @abstractmethod
    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Store a value under a key, replacing the old one if `strong`; returns whether the value changed."""

    def is_read(self, _key: Key) -> bool:
        """Whether the value of a key may have been read; if not, a change cannot affect earlier code."""
        return True


class Scope(HeapObject):
    """The variables of a running function, which functions defined in it can read."""

    __slots__ = ("closure", "env")

    def __init__(self, env: dict[str, Value], closure: Scope | None = None) -> None:
        super().__init__()
        self.env, self.closure = env, closure

    def value_at(self, key: Key) -> Value | None:
        """The variable's value."""
        assert isinstance(key, str)
        return self.env.get(key)

    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Bind a variable from an inner function; returns whether its value changed."""
        assert isinstance(key, str)
        old = self.env.get(key)
        new = value if old is None or strong else join(old, value)
        self.env[key] = new
        self.version += new != old
        return new != old

    def lookup(self, name: str) -> Value | None:
        """A variable of this scope or of one around it."""
        scope: Scope | None = self
        while scope is not None:
            value = scope.env.get(name)
            if value is not None:
                return value
            scope = scope.closure
        return None
