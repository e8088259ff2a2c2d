"""Reads and changes of objects that existed before a call: the dependencies and the effects of its summary."""

from __future__ import annotations

from typing import NamedTuple

from breaklint.interp.heap import HeapObject, Key, Scope, next_serial
from breaklint.interp.lattice import Value


class Effect(NamedTuple):
    """A store of a call in an object that existed before: `target.store(key, value, strong)`."""

    target: HeapObject
    key: Key
    value: Value
    strong: bool


class Record:
    """The reads and changes of a call in objects that existed before.

    `reads` contains the version of each such object at its first read; `variables` the values of the variables of
    enclosing functions that were read.
    """

    __slots__ = ("effects", "reads", "serial", "variables")

    def __init__(self) -> None:
        self.serial = next_serial()
        self.effects: dict[Effect, None] = {}  # each once, in the order of the last stores
        self.reads: dict[HeapObject, int] = {}
        self.variables: dict[tuple[Scope, str], Value | None] = {}

    def read(self, target: HeapObject) -> None:
        """Record that the state of an object is read."""
        if target.serial < self.serial:
            self.reads.setdefault(target, target.version)

    def include_reads(self, call: Record) -> None:
        """Add the reads of a call made from here."""
        serial, reads, variables = self.serial, self.reads, self.variables
        for target, version in call.reads.items():
            if target.serial < serial and target not in reads:
                reads[target] = version
        for variable, value in call.variables.items():
            if variable[0].serial < serial and variable not in variables:
                variables[variable] = value

    def include(self, call: Record) -> None:
        """Add the reads and changes of a call made from here."""
        self.include_reads(call)
        for effect in call.effects:
            if effect.target.serial < self.serial:
                self.changed(effect)

    def changed(self, effect: Effect) -> None:
        """Record a change of an object that existed before the call."""
        self.effects.pop(effect, None)
        self.effects[effect] = None

    def holds(self) -> bool:
        """Whether no read object or variable has changed since."""
        for target, version in self.reads.items():  # not by `all`, which creates a generator: this runs at every call
            if target.version != version:
                return False
        for (frame, name), value in self.variables.items():
            current = frame.env.get(name)
            if current is not value and current != value:
                return False
        return True
