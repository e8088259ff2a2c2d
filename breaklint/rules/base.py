"""Check classes: typed visitors of the events of traced code, for conditions that a card cannot express."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from breaklint.interp.context import Condition
from breaklint.interp.events import (
    Arithmetic,
    BreakingCall,
    Call,
    ClassDefinition,
    Contains,
    Enter,
    Event,
    FailingImport,
    FixedMark,
    Format,
    GetAttribute,
    Index,
    LibraryBreak,
    Loop,
    ObjectAccess,
    Rebind,
    Repeat,
    RepeatedCompile,
    SetAttribute,
    Truth,
    UnboundCall,
)


class Hit(NamedTuple):
    """A node that a rule reports. `message` replaces the card's, `given` are further conditions, and `target` is the
    card's target that applies."""

    node: ast.expr | ast.stmt
    message: str = ""
    given: tuple[Condition, ...] = ()
    target: str = ""


Visit = Callable[[Any], Iterator[Hit]]  # a bound `visit_*` method
VISITORS: Final[Mapping[type[Event], str]] = {
    Arithmetic: "visit_arithmetic",
    BreakingCall: "visit_breaking_call",
    Call: "visit_call",
    ClassDefinition: "visit_class_definition",
    Contains: "visit_contains",
    Enter: "visit_enter",
    FailingImport: "visit_failing_import",
    FixedMark: "visit_fixed_mark",
    Format: "visit_format",
    GetAttribute: "visit_get_attribute",
    Index: "visit_index",
    LibraryBreak: "visit_library_break",
    Loop: "visit_loop",
    ObjectAccess: "visit_object_access",
    Rebind: "visit_rebind",
    Repeat: "visit_repeat",
    RepeatedCompile: "visit_repeated_compile",
    SetAttribute: "visit_set_attribute",
    Truth: "visit_truth",
    UnboundCall: "visit_unbound_call",
}
CHECKS: Final[dict[str, type[Check]]] = {}  # the check classes that are imported, by name


class Check:
    """Base of check classes. A class overrides the visitors of the events that it handles, each of which yields hits.

    Every class with a visitor is registered under its name, which cards use. It is stateless: a visitor reads the event
    and its frame with the inferred values, and writes nothing.
    """

    def __init_subclass__(cls) -> None:
        for name in vars(cls):
            if name.startswith("visit_") and not hasattr(Check, name):
                raise TypeError(f"{cls.__qualname__}.{name} is not an event")
        if any(_overrides(cls, name) for name in VISITORS.values()):
            if (other := CHECKS.get(cls.__name__)) is not None:
                raise TypeError(f"two check classes are called {cls.__name__}: {other.__module__}, {cls.__module__}")
            CHECKS[cls.__name__] = cls

    def applies_to(self, target: str, method: str) -> bool:
        """Whether `visit_call` handles calls of this function (qualified name) or method; called once for each."""
        return True

    def visitors(self) -> Iterator[tuple[type[Event], Visit]]:
        """The events that the class handles, each with its visitor."""
        for event, name in VISITORS.items():
            if _overrides(type(self), name):
                yield event, getattr(self, name)

    def visit_arithmetic(self, arithmetic: Arithmetic, /) -> Iterator[Hit]:
        """Look at arithmetic in Python with a number that Dynamo holds as a tensor."""
        yield from ()

    def visit_breaking_call(self, call: BreakingCall, /) -> Iterator[Hit]:
        """Look at a call of a function of the project in which the graph breaks."""
        yield from ()

    def visit_call(self, call: Call, /) -> Iterator[Hit]:
        """Look at a call that `applies_to` accepts."""
        yield from ()

    def visit_class_definition(self, definition: ClassDefinition, /) -> Iterator[Hit]:
        """Look at a `class` statement."""
        yield from ()

    def visit_contains(self, contains: Contains, /) -> Iterator[Hit]:
        """Look at an `in`."""
        yield from ()

    def visit_enter(self, enter: Enter, /) -> Iterator[Hit]:
        """Look at a `with` item."""
        yield from ()

    def visit_failing_import(self, failing: FailingImport, /) -> Iterator[Hit]:
        """Look at an import within a `try` of a package that is not installed."""
        yield from ()

    def visit_fixed_mark(self, fixed: FixedMark, /) -> Iterator[Hit]:
        """Look at code that fixes a size which is marked as dynamic."""
        yield from ()

    def visit_format(self, format: Format, /) -> Iterator[Hit]:
        """Look at a value that is formatted as text."""
        yield from ()

    def visit_get_attribute(self, attribute: GetAttribute, /) -> Iterator[Hit]:
        """Look at an attribute that is read; only names that a card with `attribute:` lists are events."""
        yield from ()

    def visit_index(self, index: Index, /) -> Iterator[Hit]:
        """Look at a subscript."""
        yield from ()

    def visit_library_break(self, call: LibraryBreak, /) -> Iterator[Hit]:
        """Look at a call into an installed package in which the graph breaks."""
        yield from ()

    def visit_loop(self, loop: Loop, /) -> Iterator[Hit]:
        """Look at a loop or comprehension."""
        yield from ()

    def visit_object_access(self, access: ObjectAccess, /) -> Iterator[Hit]:
        """Look at an access of a sparse tensor, or of an object of a class that a card with `call_instance:` lists."""
        yield from ()

    def visit_rebind(self, rebind: Rebind, /) -> Iterator[Hit]:
        """Look at a name of the module that a function binds."""
        yield from ()

    def visit_repeat(self, repeat: Repeat, /) -> Iterator[Hit]:
        """Look at a list or tuple that is repeated."""
        yield from ()

    def visit_repeated_compile(self, compiled: RepeatedCompile, /) -> Iterator[Hit]:
        """Look at compiled code that a loop of driver code recompiles at each iteration."""
        yield from ()

    def visit_set_attribute(self, attribute: SetAttribute, /) -> Iterator[Hit]:
        """Look at an attribute that is assigned."""
        yield from ()

    def visit_truth(self, truth: Truth, /) -> Iterator[Hit]:
        """Look at a value that is tested for its truth value."""
        yield from ()

    def visit_unbound_call(self, call: UnboundCall, /) -> Iterator[Hit]:
        """Look at a call within a `try` whose arguments the parameters do not take."""
        yield from ()


def _overrides(cls: type[Check], name: str) -> bool:
    return getattr(cls, name) is not getattr(Check, name)
