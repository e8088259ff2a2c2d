"""Values that can be called: classes, functions and methods."""

from __future__ import annotations

from breaklint.interp.heap import Scope
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import Compound
from breaklint.project.module import ClassInfo, FunctionInfo


class ClassValue(Compound):
    """A class of the project."""

    __slots__ = ("info",)

    def __init__(self, info: ClassInfo) -> None:
        self.info = info


class Function(Compound):
    """A function of the project, bound to `owner` when it is a method.

    `closure` is the enclosing scope. `defaults` are the values of the parameters' defaults, in the order of the
    parameters, for a function that is defined in another function.
    """

    __slots__ = ("closure", "defaults", "info", "owner")

    def __init__(
        self,
        info: FunctionInfo,
        owner: Value | None = None,
        closure: Scope | None = None,
        defaults: tuple[Value | None, ...] = (),
    ) -> None:
        self.info, self.owner, self.closure, self.defaults = info, owner, closure, defaults

    @classmethod
    def of(cls, owner: Value, method: FunctionInfo) -> Function:
        """The method of an object; a static method has no owner."""
        return cls(method, None if method.is_staticmethod else owner)


class Method(Compound):
    """A bound method of a value that is not an Instance (`x.sum`)."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: Value, name: str) -> None:
        self.owner, self.name = owner, name

    def sort(self) -> object:
        """Attributes of Unknown values have one sort: together they may be anything."""
        return (Method, UNKNOWN) if self.owner is UNKNOWN else self

    def merge(self, _other: Method) -> Value:
        """Two methods of one sort are attributes of Unknown values."""
        return UNKNOWN


class Partial(Compound):
    """`functools.partial(function, *args, **kwargs)`."""

    __slots__ = ("args", "function", "kwargs")

    def __init__(self, function: Value, args: tuple[Value, ...], kwargs: tuple[tuple[str, Value], ...]) -> None:
        self.function, self.args, self.kwargs = function, args, kwargs


class Transform(Compound):
    """The result of a transform of torch.func for a function: `torch.func.grad(function)`."""

    __slots__ = ("function", "name")

    def __init__(self, name: str, function: Value) -> None:
        self.name, self.function = name, function


class Super(Compound):
    """`super()` in a method of `cls` on `owner`."""

    __slots__ = ("cls", "owner")

    def __init__(self, cls: ClassInfo, owner: Value) -> None:
        self.cls, self.owner = cls, owner


def is_unknown(value: Value | None) -> bool:
    """Whether a value is unknown, or a method of an unknown value: `cfg.x` of an unknown `cfg` may be any value."""
    return value is UNKNOWN or (isinstance(value, Method) and value.owner is UNKNOWN)
