"""What happens while Dynamo would trace a function: the stream of events that rules listen to."""

from __future__ import annotations

import ast

from breaklint.interp.frame import Event as Event  # the base of all of them
from breaklint.interp.frame import Frame, Node
from breaklint.interp.lattice import Value


class Call(Event):
    """A call. `target` is the qualified name of what is called (`torch.where`), `builtins.print` for a builtin, or "".

    For a method of a value, `method` is its name and `owner` the value; for a call of a module object of a class
    outside the project, `instance` is the class.
    """

    __slots__ = ("args", "instance", "kwargs", "method", "owner", "starred", "target")

    def __init__(
        self,
        node: Node,
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


class Truth(Event):
    """A value is asked for its truth. `kind`: if, while, ifexp, assert, boolop, not, comprehension, compare."""

    __slots__ = ("kind", "value")

    def __init__(self, node: Node, frame: Frame, value: Value, kind: str) -> None:
        super().__init__(node, frame)
        self.value, self.kind = value, kind


class Index(Event):
    """A subscript. `use`: load, store, augment or delete."""

    __slots__ = ("base", "index", "use")

    def __init__(self, node: Node, frame: Frame, base: Value, index: Value, use: str = "load") -> None:
        super().__init__(node, frame)
        self.base, self.index, self.use = base, index, use


class SetAttribute(Event):
    """`base.name = value`; `augmented` for `+=` and its kin."""

    __slots__ = ("augmented", "base", "name", "value")

    def __init__(self, node: Node, frame: Frame, base: Value, name: str, value: Value, augmented: bool = False) -> None:
        super().__init__(node, frame)
        self.base, self.name, self.value, self.augmented = base, name, value, augmented


class GetAttribute(Event):
    """`base.name` is read; `value` is what it gives."""

    __slots__ = ("base", "name", "value")

    def __init__(self, node: Node, frame: Frame, base: Value, name: str, value: Value) -> None:
        super().__init__(node, frame)
        self.base, self.name, self.value = base, name, value


class ObjectAccess(Event):
    """A module object, or an object of a class outside the project, is fetched (`self.lstm`, `self.rnns[0]`)."""

    __slots__ = ("value",)

    def __init__(self, node: Node, frame: Frame, value: Value) -> None:
        super().__init__(node, frame)
        self.value = value


class Loop(Event):
    """A `for` or `while` loop or a comprehension; `iterable` is None for `while`."""

    __slots__ = ("iterable", "target")

    def __init__(self, node: Node, frame: Frame, iterable: Value | None, target: ast.expr | None = None) -> None:
        super().__init__(node, frame)
        self.iterable, self.target = iterable, target


class Enter(Event):
    """A `with` item: `target` is the qualified name of the context manager's class or function."""

    __slots__ = ("target", "value")

    def __init__(self, node: Node, frame: Frame, target: str, value: Value) -> None:
        super().__init__(node, frame)
        self.target, self.value = target, value


class Repeat(Event):
    """A list or tuple is repeated: `[0] * value`."""

    __slots__ = ("value",)

    def __init__(self, node: Node, frame: Frame, value: Value) -> None:
        super().__init__(node, frame)
        self.value = value


class Arithmetic(Event):
    """Python computes with a number that Dynamo holds as a tensor (`2 * random.uniform(0, 1)`)."""

    __slots__ = ()


class Contains(Event):
    """`item in container`."""

    __slots__ = ("container", "item")

    def __init__(self, node: Node, frame: Frame, item: Value, container: Value) -> None:
        super().__init__(node, frame)
        self.item, self.container = item, container


class Format(Event):
    """A value is turned into text by an f-string, `%` or `format`. `how` names which."""

    __slots__ = ("how", "value")

    def __init__(self, node: Node, frame: Frame, value: Value, how: str) -> None:
        super().__init__(node, frame)
        self.value, self.how = value, how
