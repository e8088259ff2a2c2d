"""Instances of the project's classes."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.heap import HeapObject, Key, run_late
from breaklint.interp.lattice import Value, join, options
from breaklint.project.module import ClassInfo
from breaklint.project.object_effects import ANY

ALL: Final = ""  # in place of an attribute: all of them


def class_of(value: Value) -> ClassInfo | None:
    """The class of the project that all options of a value are instances of, else None."""
    classes = {option.cls if isinstance(option, Instance) else None for option in options(value)}
    return classes.pop() if len(classes) == 1 else None


class Instance(HeapObject):
    """The instances of a class of the project that one call creates, and their known attributes.

    `outside`: created before the traced code runs, by a constructor or at module level. `ready`: no constructor is
    running.
    """

    __slots__ = (
        "_count",
        "_late",
        "_order",
        "_pending",
        "_read",
        "_settling",
        "attrs",
        "built_with",
        "cls",
        "optional",
        "outside",
        "ready",
    )

    def __init__(self, cls: ClassInfo, outside: bool) -> None:
        super().__init__()
        self.cls, self.outside = cls, outside
        self.attrs: dict[str, Value] = {}
        self.optional: set[str] = set()  # attributes that some of the instances may not have
        self.ready = False
        # Calls of the constructor: the join of the arguments, by their number and names, and the deferred calls.
        self.built_with: dict[object, Arguments] = {}
        self._late: dict[Arguments, Callable[[], None]] = {}
        # Deferred statements, by the names that they may store, in program order: a statement that a deferred one
        # defers comes before the statements that follow the latter.
        self._pending: dict[str, list[tuple[tuple[int, ...], Callable[[], None]]]] = {}
        self._read: set[str] = set()  # the attributes that have been read
        self._order: tuple[int, ...] = ()
        self._count = 0
        self._settling = 0

    def get(self, name: str) -> Value | None:
        """The value of an attribute (`*`: of unknown names), after all deferred statements that may store it.

        From here on a change of it counts: no summary depends on an attribute that was never read.
        """
        value = self.stored(name) if self._late or self._pending else self.attrs.get(name)
        self._read.add(name)
        return value

    def stored(self, name: str) -> Value | None:
        """The value of an attribute as in `get`, without counting as a read."""
        if self._late:
            self.build()
        for key in (name, ANY) if self._pending else ():
            if key in self._pending:
                run_late(self.serial, self._settle, key)
        return self.attrs.get(name)

    def widen_arguments(self, arguments: Arguments) -> Arguments | None:
        """The join of the arguments of all calls of the constructor in this form; None if these add nothing to it."""
        form = (len(arguments.args), *arguments.kwargs)
        previous = self.built_with.get(form)
        if previous is None:
            previous = self.built_with[form] = Arguments([*arguments.args], {**arguments.kwargs}, arguments.starred)
            return previous
        return previous if previous.widen(arguments) else None

    def is_built_with(self, arguments: Arguments) -> bool:
        """Whether all calls of the constructor had exactly these arguments."""
        forms = [*self.built_with.values()]
        return all(form.args == arguments.args and form.kwargs == arguments.kwargs for form in forms) and len(forms) < 2

    def build_later(self, arguments: Arguments, build: Callable[[], None]) -> None:
        """Defer a call of the constructor until an attribute is read."""
        self._late.setdefault(arguments, build)
        if self._read:  # summaries have to know whether that changes
            self.build()
            for name in [name for name in self._pending if name in self._read]:
                run_late(self.serial, self._settle, name)

    def defer(self, stores: Iterable[str], run: Callable[[], None]) -> None:
        """Defer a statement until one of the attributes that it may store is read. It may be run twice."""
        self._count += 1
        entry = ((*self._order, self._count), run)
        for name in sorted(stores) or ("",):  # the order of a set differs from run to run
            insort(self._pending.setdefault(name, []), entry)

    @property
    def is_in_use(self) -> bool:
        """Whether traced code received it from outside, and no statement of its constructor is running."""
        return self.outside and self.ready and not self._settling

    def has_deferred(self) -> bool:
        """Whether a statement or call of its constructor is still deferred."""
        return bool(self._late or self._pending)

    def settle(self) -> None:
        """Run all deferred statements; all attributes then count as read."""
        if self._late:
            self.build()
        while (name := next((name for name in [*self._pending] if self._due(name)), None)) is not None:
            run_late(self.serial, self._settle, name)
        self._read.add(ALL)

    def forget(self) -> None:
        """Release the attributes and deferred statements, which may refer to the object."""
        self._late.clear()
        self._pending.clear()
        self.attrs.clear()

    def _due(self, name: str) -> list[tuple[tuple[int, ...], Callable[[], None]]]:
        """The deferred statements of a name; while one runs, only those before it in program order."""
        waiting, current = self._pending.get(name, []), self._order
        return [entry for entry in waiting if entry[0][: len(current)] <= current] if current else waiting

    def _settle(self, name: str) -> None:
        due = self._due(name)
        rest = [entry for entry in self._pending.pop(name, ()) if entry not in due]
        if rest:
            self._pending[name] = rest
        for order, run in due:
            outer, self._order = self._order, order
            self._settling += 1
            try:
                run()
            finally:
                self._settling -= 1
            self._order = outer
            self._settle(name)

    def build(self) -> None:
        """Run the deferred calls of the constructor."""
        while self._late:
            self._settling += 1
            try:
                run_late(self.serial, self._late.pop(next(iter(self._late))))
            finally:
                self._settling -= 1

    def family(self) -> object:
        """Instances count as one option of a Union: a module may hold many kinds of layers."""
        return Instance

    def value_at(self, key: Key) -> Value | None:
        """The attribute without running deferred statements."""
        assert isinstance(key, str)
        return self.attrs.get(key)

    def is_read(self, key: Key) -> bool:
        """Whether the attribute has been read."""
        return key in self._read or ALL in self._read

    def store(self, key: Key, value: Value, strong: bool = False) -> bool:
        """Store an attribute (`*`: under an unknown name); returns whether its value changed."""
        assert isinstance(key, str)
        old = self.attrs.get(key)
        new = value if old is None or strong else join(old, value)
        if new is old or new == old:
            return False
        self.attrs[key] = new
        if self.is_read(key) and (old is not None or not self._settling):
            self.version += 1  # a deferred store precedes all reads
        return True
