"""What happens while Dynamo would trace a function: the stream of events that rules listen to."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from breaklint.analysis.frame import Frame
from breaklint.analysis.values import Value


@dataclass(slots=True)
class Event:
    """Something at `node`, in the function that `frame` traces."""

    node: ast.expr | ast.stmt
    frame: Frame


@dataclass(slots=True)
class Call(Event):
    """A call. `target` is the qualified name of what is called (`torch.where`), `builtins.print` for a builtin, or "".

    For a method of a value, `method` is its name and `owner` the value; for a call of a module object of a class
    outside the project, `instance` is the class.
    """

    target: str
    args: list[Value]
    kwargs: dict[str, Value]
    method: str = ""
    owner: Value | None = None
    instance: str = ""
    starred: bool = False


@dataclass(slots=True)
class BreakingCall(Event):
    """A call of a function of the project in which the graph breaks: `callee` is its dotted name."""

    callee: str


@dataclass(slots=True)
class Truth(Event):
    """A value is asked for its truth. `kind`: if, while, ifexp, assert, boolop, not, comprehension, compare."""

    value: Value
    kind: str


@dataclass(slots=True)
class Index(Event):
    """A subscript. `use`: load, store, augment or delete."""

    base: Value
    index: Value
    use: str = "load"


@dataclass(slots=True)
class SetAttribute(Event):
    """`base.name = value`; `augmented` for `+=` and its kin."""

    base: Value
    name: str
    value: Value
    augmented: bool = False


@dataclass(slots=True)
class GetAttribute(Event):
    """`base.name` is read; `value` is what it gives."""

    base: Value
    name: str
    value: Value


@dataclass(slots=True)
class Use(Event):
    """A module object, or an object of a class outside the project, is fetched (`self.lstm`, `self.rnns[0]`)."""

    value: Value


@dataclass(slots=True)
class Loop(Event):
    """A `for` or `while` loop or a comprehension; `iterable` is None for `while`."""

    iterable: Value | None
    target: ast.expr | None = None


@dataclass(slots=True)
class Enter(Event):
    """A `with` item: `target` is the qualified name of the context manager's class or function."""

    target: str
    value: Value


@dataclass(slots=True)
class Repeat(Event):
    """A list or tuple is repeated: `[0] * value`."""

    value: Value


@dataclass(slots=True)
class Arithmetic(Event):
    """Python computes with a number that Dynamo holds as a tensor (`2 * random.uniform(0, 1)`)."""


@dataclass(slots=True)
class Contains(Event):
    """`item in container`."""

    item: Value
    container: Value


@dataclass(slots=True)
class Format(Event):
    """A value is turned into text by an f-string, `%` or `format`. `how` names which."""

    value: Value
    how: str


@dataclass(frozen=True, slots=True)
class Heard:
    """What rules listen to, of the things that happen all the time: attributes by name, objects by class."""

    attributes: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
