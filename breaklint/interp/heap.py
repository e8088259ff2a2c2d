"""Objects with identity: containers, instances, scopes.

Two variables may hold one such object, so that a store through one is seen through the other. Objects only grow (weak
updates), except for those that a constructor is building. Every change is counted: a call summary holds as long as the
objects that it was computed from have not changed.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from itertools import count
from typing import Final, ParamSpec, TypeVar

from breaklint.interp.lattice import Value, join

Key = Value | str | None
Result = TypeVar("Result")
Given = ParamSpec("Given")
SPACE: Final = 1 << 28  # between the serials of two objects: room for what is made late but counts as between them
_next: Final = count(SPACE, SPACE).__next__
_next_late: Final = count(1).__next__
_late: Final[list[int]] = []  # the serials after which what is computed late counts


def next_serial() -> int:
    """Number an object; a higher number means later creation."""
    return _late[-1] + _next_late() if _late else _next()


def run_late(after: int, run: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
    """Run what counts as run right after an object of this serial was made: all that it makes is as old as that."""
    start = after - after % SPACE
    _late.append(min(start, _late[-1]) if _late else start)
    try:
        return run(*given, **named)
    finally:
        _late.pop()


class HeapObject(Value):
    """An object with identity. `version` counts its changes, `serial` tells older objects from younger ones."""

    __slots__ = ("serial", "version")
    __repr__ = object.__repr__  # objects may hold each other

    def __init__(self) -> None:
        self.serial = next_serial()
        self.version = 0

    @abstractmethod
    def held(self, key: Key) -> Value | None:
        """The inferred value of a key."""

    @abstractmethod
    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Store a value under a key, permanently when `strong`; whether that changed anything."""

    def is_read(self, _key: Key) -> bool:
        """Whether the value of a key may have been read: else its change cannot affect earlier code."""
        return True


class Scope(HeapObject):
    """The variables of a function that is being run, which functions that are defined in it see."""

    __slots__ = ("closure", "env")

    def __init__(self, env: dict[str, Value], closure: Scope | None = None) -> None:
        super().__init__()
        self.env, self.closure = env, closure

    def held(self, key: Key) -> Value | None:
        """The variable's value."""
        assert isinstance(key, str)
        return self.env.get(key)

    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Bind a variable from a function inside; whether that changed anything."""
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
            found = scope.env.get(name)
            if found is not None:
                return found
            scope = scope.closure
        return None
