"""Check classes: typed visitors of the events of traced code, for conditions that a card cannot express."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from breaklint.interp import events
from breaklint.interp.context import Condition
from breaklint.interp.events import Event

# Reasons why a break ends its frame.
NO_RESUME: Final = "operation"  # Dynamo cannot resume there; the code before it is compiled
OBJECT: Final = "object"  # an object that Dynamo does not take as an input


class Hit(NamedTuple):
    """A node that a rule reports. `message` replaces the card's, `conditions` are further ones, and `target` is the
    card's target that applies. `end` is the reason why the break ends the frame, if the event does not show it. Values
    of `computed` do not break if an earlier break makes them inputs of the graph. `at_output`: a graph breaks where it
    ends, so that nothing breaks in a frame without one."""

    node: ast.expr | ast.stmt
    message: str = ""
    conditions: tuple[Condition, ...] = ()
    target: str = ""
    end: str = ""
    computed: tuple[ast.Name, ...] = ()
    at_output: bool = False


Visit = Callable[[Any], Iterator[Hit]]  # a bound `visit_*` method
# The method that handles an event: `visit_get_attribute` for a GetAttribute.
VISITORS: Final[Mapping[type[Event], str]] = {
    kind: "visit" + re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", kind.__name__)
    for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
}
CHECKS: Final[dict[str, type[Check]]] = {}  # the check classes that are imported, by name


class Check:
    """Base of check classes. A class has a visitor for each kind of event that it handles, which yields hits.

    Every class with a visitor is registered under its name, which cards use. It is stateless: a visitor reads the event
    and its frame with the inferred values, and writes nothing.
    """

    def __init_subclass__(cls) -> None:
        for name in vars(cls):
            if name.startswith("visit_") and name not in VISITORS.values():
                raise TypeError(f"{cls.__qualname__}.{name} is not an event")
        if any(hasattr(cls, name) for name in VISITORS.values()):
            if (other := CHECKS.get(cls.__name__)) is not None:
                raise TypeError(f"two check classes are called {cls.__name__}: {other.__module__}, {cls.__module__}")
            CHECKS[cls.__name__] = cls

    def applies_to(self, target: str, method: str) -> bool:
        """Whether `visit_call` handles calls of this function (qualified name) or method; called once for each."""
        return True

    def visitors(self) -> Iterator[tuple[type[Event], Visit]]:
        """The events that the class handles, each with its visitor."""
        for event, name in VISITORS.items():
            if hasattr(self, name):
                yield event, getattr(self, name)
