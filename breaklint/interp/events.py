"""Events of a traced function, which rules visit."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from breaklint.interp.frame import Event as Event  # the base of all of them
from breaklint.interp.lattice import Value

LoopNode = ast.For | ast.AsyncFor | ast.While | ast.expr  # an expression: the iterable of a comprehension
ArithmeticNode = ast.BinOp | ast.UnaryOp | ast.AugAssign


@dataclass(slots=True, eq=False, repr=False)
class Call(Event):
    """A call. `target` is the qualified name of the callee (`torch.where`, `builtins.print`), or "".

    For a method of a value, `method` is its name and `owner` the value; for a call of a module object of a class
    outside the project, `instance` is the class.
    """

    node: ast.expr
    target: str
    args: list[Value]
    kwargs: dict[str, Value]
    method: str = ""
    owner: Value | None = None
    instance: str = ""
    starred: bool = False


@dataclass(slots=True, eq=False, repr=False)
class RepeatedCompile(Event):
    """A loop in driver code recompiles a compiled function at each iteration, because a guard fails.

    If `loop` is "", `node` is the statement in the compiled code that changes the guarded value. Else `node` is the
    guarded expression, and `loop` the place of the loop (`train.py:12`). `kind` is "number" if a number is guarded.
    """

    node: ast.expr
    kind: str
    loop: str


@dataclass(slots=True, eq=False, repr=False)
class FixedMark(Event):
    """Compiled code specializes a size that driver code marks as dynamic: `what` (`dimension 0 of x`), at `place`."""

    node: ast.expr
    what: str
    place: str


@dataclass(slots=True, eq=False, repr=False)
class ClassDefinition(Event):
    """A `class` statement."""

    node: ast.ClassDef


@dataclass(slots=True, eq=False, repr=False)
class FailingImport(Event):
    """An `import` within a `try` of a package that is not installed in the project's environment."""

    node: ast.Import | ast.ImportFrom
    package: str


@dataclass(slots=True, eq=False, repr=False)
class BreakingCall(Event):
    """A call in which the graph breaks: `callee` is the dotted name of a function of the project. `lost`: the kind of
    object that Dynamo cannot pass to the rest of the frame, "" if there is none."""

    node: ast.expr
    callee: str
    lost: str = ""


@dataclass(slots=True, eq=False, repr=False)
class UnboundCall(Event):
    """A call within a `try` whose arguments do not bind to the parameters; `why` it raises TypeError."""

    node: ast.expr
    why: str


@dataclass(slots=True, eq=False, repr=False)
class LibraryBreak(Event):
    """A call into an installed package in which the graph breaks: at `place` (`shapes/core.py:70`), by rule `code`.

    `source` is the code there.
    """

    node: ast.expr
    place: str
    code: str
    source: str = ""


@dataclass(slots=True, eq=False, repr=False)
class OwnFrame(Event):
    """Code that Dynamo compiles by itself, because the code around it runs in eager mode: a comprehension, or the first
    use of a module in its constructor."""

    node: ast.expr


@dataclass(slots=True, eq=False, repr=False)
class Truth(Event):
    """A value is tested for its truth value. `kind`: if, while, ifexp, assert, boolop, not, comprehension, compare, and
    key for a result of the `key=` of `max`, `min`, `sorted` or `list.sort`, which is compared."""

    node: ast.expr
    value: Value
    kind: str


@dataclass(slots=True, eq=False, repr=False)
class Index(Event):
    """A subscript. `use`: load, store, augment or delete."""

    node: ast.Subscript
    base: Value
    index: Value
    use: str = "load"


@dataclass(slots=True, eq=False, repr=False)
class SetAttribute(Event):
    """`base.name = value`; `augmented` for `+=` and the like."""

    node: ast.Attribute
    base: Value
    name: str
    value: Value
    augmented: bool = False


@dataclass(slots=True, eq=False, repr=False)
class Rebind(Event):
    """A name that `global` declares is bound to `value`; `augmented` for `+=` and the like."""

    node: ast.Name
    value: Value
    augmented: bool

    @property
    def name(self) -> str:
        """The name that is bound."""
        return self.node.id


@dataclass(slots=True, eq=False, repr=False)
class GetAttribute(Event):
    """`base.name` is read; `value` is its value."""

    node: ast.expr
    base: Value
    name: str
    value: Value


@dataclass(slots=True, eq=False, repr=False)
class ObjectAccess(Event):
    """An object of a class outside the project, or a sparse tensor, is accessed (`self.lstm`, `self.rnns[0]`).

    `kinds` are the kinds of object (EventFilter.kinds, and "sparse") that fit the value. `earlier` are those of them
    of which an object is accessed on every path from the function's start to here.
    """

    node: ast.expr
    value: Value
    kinds: frozenset[str]
    earlier: frozenset[str]


@dataclass(slots=True, eq=False, repr=False)
class Loop(Event):
    """A `for` or `while` loop or a comprehension; `iterable` is None for `while`."""

    node: LoopNode
    iterable: Value | None
    target: ast.expr | None = None


@dataclass(slots=True, eq=False, repr=False)
class Enter(Event):
    """A `with` item: `target` is the qualified name of the context manager's class or function."""

    node: ast.expr
    target: str
    value: Value


@dataclass(slots=True, eq=False, repr=False)
class Repeat(Event):
    """A list or tuple is repeated: `[0] * value`."""

    node: ast.BinOp
    value: Value


@dataclass(slots=True, eq=False, repr=False)
class Arithmetic(Event):
    """Python computes with a number that Dynamo holds as a tensor (`2 * random.uniform(0, 1)`), or an operator gets an
    object of the project and a tensor (`has_object`).

    `earlier`: such arithmetic also happens on every path from the function's start to here.
    """

    node: ArithmeticNode
    earlier: bool
    has_object: bool


@dataclass(slots=True, eq=False, repr=False)
class Contains(Event):
    """`item in container`."""

    node: ast.Compare
    item: Value
    container: Value


@dataclass(slots=True, eq=False, repr=False)
class Format(Event):
    """A value is turned into text by an f-string, one with a format spec, `%` or `format`. `how` names which."""

    node: ast.expr
    value: Value
    how: str
