"""What has an identity: containers, instances, scopes.

Two variables may hold one such object, so that a store through one is seen through the other. Objects only grow (weak
updates), but for those that a constructor is building. Every change is counted: a call summary holds as long as the
objects that it was computed from have not changed.
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import count
from typing import Final

from breaklint.interp.lattice import Value, join

Key = Value | str | None
next_serial: Final = count(1).__next__  # numbers objects in the order in which they are made


class HeapObject:
    """An object with identity. `version` counts its changes, `serial` tells older objects from younger ones."""

    __slots__ = ("serial", "version")
    __repr__ = object.__repr__  # objects may hold each other

    def __init__(self) -> None:
        self.serial = next_serial()
        self.version = 0

    @abstractmethod
    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Store a value under a key, for good when `strong`; whether that changed anything."""


class Scope(HeapObject):
    """The variables of a function that is being run, which functions that are defined in it see."""

    __slots__ = ("closure", "env")

    def __init__(self, env: dict[str, Value], closure: Scope | None = None) -> None:
        super().__init__()
        self.env, self.closure = env, closure

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
