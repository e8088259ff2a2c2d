"""What happens while Dynamo would trace a function: the stream of events that rules visit."""

from __future__ import annotations

import ast

from breaklint.interp.frame import Event as Event  # the base of all of them
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import Value

LoopNode = ast.For | ast.AsyncFor | ast.While | ast.expr  # of a comprehension, what it iterates over
ArithmeticNode = ast.BinOp | ast.UnaryOp | ast.AugAssign


class Call(Event):
    """A call. `target` is the qualified name of what is called (`torch.where`), `builtins.print` for a builtin, or "".

    For a method of a value, `method` is its name and `owner` the value; for a call of a module object of a class
    outside the project, `instance` is the class.
    """

    __slots__ = ("args", "instance", "kwargs", "method", "owner", "starred", "target")
    node: ast.expr

    def __init__(
        self,
        node: ast.expr,
        frame: Frame,
        target: str,
        args: list[Value],
        kwargs: dict[str, Value],
        method: str = "",
        owner: Value | None = None,
        instance: str = "",
        starred: bool = False,
    ) -> None:
        super().__init__(node, frame)
        self.target, self.args, self.kwargs, self.starred = target, args, kwargs, starred
        self.method, self.owner, self.instance = method, owner, instance


class RepeatedCompile(Event):
    """Compiled code that a loop of driver code calls compiles at each iteration: a guard fails.

    `node` changes what the guard reads, where `loop` is "": in the compiled code. Else it is what the guard reads, and
    `loop` the place of the loop (`train.py:12`). `kind` is "number" where the guard reads a number.
    """

    __slots__ = ("kind", "loop")
    node: ast.expr

    def __init__(self, node: ast.expr, frame: Frame, kind: str, loop: str) -> None:
        super().__init__(node, frame)
        self.kind, self.loop = kind, loop


class FixedMark(Event):
    """Compiled code fixes a size that driver code marks as dynamic: `what` (`dimension 0 of x`), at `place`."""

    __slots__ = ("place", "what")
    node: ast.expr

    def __init__(self, node: ast.expr, frame: Frame, what: str, place: str) -> None:
        super().__init__(node, frame)
        self.what, self.place = what, place


class ClassDefinition(Event):
    """A `class` statement."""

    __slots__ = ()
    node: ast.ClassDef


class BreakingCall(Event):
    """A call of a function of the project in which the graph breaks: `callee` is its dotted name."""

    __slots__ = ("callee",)
    node: ast.expr

    def __init__(self, node: ast.expr, frame: Frame, callee: str) -> None:
        super().__init__(node, frame)
        self.callee = callee


class UnboundCall(Event):
    """A call within a `try` that the parameters of a function of the project do not take: `why` it raises TypeError."""

    __slots__ = ("why",)
    node: ast.expr

    def __init__(self, node: ast.expr, frame: Frame, why: str) -> None:
        super().__init__(node, frame)
        self.why = why


class LibraryBreak(Event):
    """A call into an installed package in which the graph breaks: at `place` (`shapes/core.py:70`), by rule `code`."""

    __slots__ = ("code", "place")
    node: ast.expr

    def __init__(self, node: ast.expr, frame: Frame, place: str, code: str) -> None:
        super().__init__(node, frame)
        self.place, self.code = place, code


class Truth(Event):
    """A value is tested for its truth value. `kind`: if, while, ifexp, assert, boolop, not, comprehension, compare, and
    key for what the `key=` of `max`, `min`, `sorted` or `list.sort` gives, which is compared."""

    __slots__ = ("kind", "value")
    node: ast.expr

    def __init__(self, node: ast.expr, frame: Frame, value: Value, kind: str) -> None:
        super().__init__(node, frame)
        self.value, self.kind = value, kind


class Index(Event):
    """A subscript. `use`: load, store, augment or delete."""

    __slots__ = ("base", "index", "use")
    node: ast.Subscript

    def __init__(self, node: ast.Subscript, frame: Frame, base: Value, index: Value, use: str = "load") -> None:
        super().__init__(node, frame)
        self.base, self.index, self.use = base, index, use


class SetAttribute(Event):
    """`base.name = value`; `augmented` for `+=` and the like."""

    __slots__ = ("augmented", "base", "name", "value")
    node: ast.Attribute

    def __init__(
        self, node: ast.Attribute, frame: Frame, base: Value, name: str, value: Value, augmented: bool = False
    ) -> None:
        super().__init__(node, frame)
        self.base, self.name, self.value, self.augmented = base, name, value, augmented


class Rebind(Event):
    """A name that `global` declares is bound to `value`; `augmented` for `+=` and the like."""

    __slots__ = ("augmented", "name", "value")
    node: ast.Name

    def __init__(self, node: ast.Name, frame: Frame, value: Value, augmented: bool) -> None:
        super().__init__(node, frame)
        self.name, self.value, self.augmented = node.id, value, augmented


class GetAttribute(Event):
    """`base.name` is read; `value` is what it gives."""

    __slots__ = ("base", "name", "value")
    node: ast.expr

    def __init__(self, node: ast.expr, frame: Frame, base: Value, name: str, value: Value) -> None:
        super().__init__(node, frame)
        self.base, self.name, self.value = base, name, value


class ObjectAccess(Event):
    """An object of a class outside the project, or a sparse tensor, is accessed (`self.lstm`, `self.rnns[0]`).

    `kinds` are the kinds of object (EventFilter.kinds, and "sparse") that the value surely is one of; `earlier` are
    those of them of which an object is accessed on every path from the function's start to here.
    """

    __slots__ = ("earlier", "kinds", "value")
    node: ast.expr

    def __init__(
        self, node: ast.expr, frame: Frame, value: Value, kinds: frozenset[str], earlier: frozenset[str]
    ) -> None:
        super().__init__(node, frame)
        self.value, self.kinds, self.earlier = value, kinds, earlier


class Loop(Event):
    """A `for` or `while` loop or a comprehension; `iterable` is None for `while`."""

    __slots__ = ("iterable", "target")
    node: LoopNode

    def __init__(self, node: LoopNode, frame: Frame, iterable: Value | None, target: ast.expr | None = None) -> None:
        super().__init__(node, frame)
        self.iterable, self.target = iterable, target


class Enter(Event):
    """A `with` item: `target` is the qualified name of the context manager's class or function."""

    __slots__ = ("target", "value")
    node: ast.expr

    def __init__(self, node: ast.expr, frame: Frame, target: str, value: Value) -> None:
        super().__init__(node, frame)
        self.target, self.value = target, value


class Repeat(Event):
    """A list or tuple is repeated: `[0] * value`."""

    __slots__ = ("value",)
    node: ast.BinOp

    def __init__(self, node: ast.BinOp, frame: Frame, value: Value) -> None:
        super().__init__(node, frame)
        self.value = value


class Arithmetic(Event):
    """Python computes with a number that Dynamo holds as a tensor (`2 * random.uniform(0, 1)`).

    `earlier`: this happens on every path from the function's start to here, too.
    """

    __slots__ = ("earlier",)
    node: ArithmeticNode

    def __init__(self, node: ArithmeticNode, frame: Frame, earlier: bool) -> None:
        super().__init__(node, frame)
        self.earlier = earlier


class Contains(Event):
    """`item in container`."""

    __slots__ = ("container", "item")
    node: ast.Compare

    def __init__(self, node: ast.Compare, frame: Frame, item: Value, container: Value) -> None:
        super().__init__(node, frame)
        self.item, self.container = item, container


class Format(Event):
    """A value is turned into text by an f-string, `%` or `format`. `how` names which."""

    __slots__ = ("how", "value")
    node: ast.expr

    def __init__(self, node: ast.expr, frame: Frame, value: Value, how: str) -> None:
        super().__init__(node, frame)
        self.value, self.how = value, how
