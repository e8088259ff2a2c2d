"""Abstract values without identity: tensors, numbers, sizes, constants, names from outside the project.

They are immutable. Instances of classes with a `__new__` here are created once and cached, so that comparison is by
identity. Containers (containers.py) and instances (objects.py) have identity as in Python.
"""

# ruff: noqa: D102 - the parameters of `__new__` are the fields that the class describes

from __future__ import annotations

from operator import attrgetter
from typing import Any, ClassVar, Final

from breaklint.interp.lattice import UNKNOWN, Interned, Union, Value, join

CONSTANT: Final = "constant"
SIZED_BY_DATA: Final = "sized by data"  # its first size is a number in the graph, with fullgraph=True


class Tensor(Interned):
    """A tensor in the graph.

    `dtype` is a class of dtypes: bool, int, float, complex or "" (unknown). `ndim` is the number of dimensions, None if
    unknown. `assumed` marks a parameter assumed to be a tensor, and results computed from it alone. `role` is the
    origin: "parameter", "buffer", "nn.Buffer" (an instance of that class), "input", "attribute", "sparse", "constant"
    (0-dim, computed from constants and sizes), or "" for a result in the graph. `sizes` are known only in concrete runs
    (concrete_torch.py).
    """

    __slots__ = ("dtype", "ndim", "assumed", "role", "sizes")  # noqa: RUF023 - in the order of the arguments
    dtype: str
    ndim: int | None
    assumed: bool
    role: str
    sizes: tuple[int, ...] | None

    def __new__(
        cls,
        dtype: str = "",
        ndim: int | None = None,
        assumed: bool = False,
        role: str = "",
        sizes: tuple[int, ...] | None = None,
    ) -> Tensor:
        return cls._of((dtype, ndim, assumed, role, sizes))

    def sort(self) -> object:
        return Tensor

    def merge(self, other: Tensor) -> Value:
        return Tensor(
            self.dtype if self.dtype == other.dtype else "",
            self.ndim if self.ndim == other.ndim else None,
            self.assumed or other.assumed,
            self.role if self.role == other.role else "",
            self.sizes if self.sizes == other.sizes else None,
        )


class Array(Interned):
    """A NumPy array or scalar, which Dynamo traces as a tensor. `ndim` 0 is a scalar such as the result of `np.prod`.

    `python_scalar` marks the result of a NumPy function of one Python number (`np.sqrt(64)`), a constant for Dynamo.
    """

    __slots__ = ("dtype", "ndim", "python_scalar")
    dtype: str
    ndim: int | None
    python_scalar: bool

    def __new__(cls, dtype: str = "", ndim: int | None = None, python_scalar: bool = False) -> Array:
        return cls._of((dtype, ndim, python_scalar))

    def sort(self) -> object:
        return Array

    def merge(self, other: Array) -> Value:
        dtype, ndim = self.dtype if self.dtype == other.dtype else "", self.ndim if self.ndim == other.ndim else None
        return Array(dtype, ndim, self.python_scalar and other.python_scalar)


class PythonValue(Interned):
    """A number, a size, a flag or a string: neither a tensor nor an object with identity."""

    __slots__ = ()

    def sort(self) -> object:
        return PythonValue

    def merge(self, other: Value) -> Value:
        kind = python_kind(self) if python_kind(self) == python_kind(other) else ""
        numbers = [value for value in (self, other) if isinstance(value, Number)]
        return Number(kind, all(number.symbolic for number in numbers)) if numbers else Static(kind)


class Number(PythonValue):
    """A Python number read from tensor data (`.item()`, `float(t)`). `kind` is int, float, bool or "".

    `symbolic` marks one that Dynamo keeps in the graph without a break (`random.randint`): a later use of its value
    breaks.
    """

    __slots__ = ("kind", "symbolic")
    kind: str
    symbolic: bool

    def __new__(cls, kind: str = "", symbolic: bool = False) -> Number:
        return cls._of((kind, symbolic))


class Size(PythonValue):
    """An int from a tensor's shape: known to the compiler, guarded, perhaps symbolic."""

    __slots__ = ()

    def __new__(cls) -> Size:
        return cls._of(())


class Shape(Interned):
    """A `torch.Size`: the shape of a tensor. `ndim` is its length, None if unknown."""

    __slots__ = ("ndim",)
    ndim: int | None

    def __new__(cls, ndim: int | None = None) -> Shape:
        return cls._of((ndim,))

    def sort(self) -> object:
        return Shape

    def merge(self, other: Shape) -> Value:
        return Shape()


class Static(PythonValue):
    """A Python value that does not depend on tensor data: a flag, a number, a string, a dtype. `kind` as `int`, or "".

    `default_text` is the default of a parameter: the value if the argument is missing.
    """

    __slots__ = ("kind", "default_text")  # noqa: RUF023
    kind: str
    default_text: str

    def __new__(cls, kind: str = "", default_text: str = "") -> Static:
        return cls._of((kind, default_text))


class Const(PythonValue):
    """A Python constant whose value is known."""

    __slots__ = ("value",)
    value: Any

    def __new__(cls, value: Any) -> Const:
        key = (value.__class__, value)
        cached = cls._instances.get(key)
        if cached is None:
            cached = object.__new__(cls)
            cached.value = value
            if value is None or isinstance(value, (bool, int)):  # there are too many strings to cache
                cls._instances[key] = cached
        return cached

    def sort(self) -> object:
        return self if self.value is None else PythonValue

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if other.__class__ is not Const or self.value.__class__ is not other.value.__class__:
            return False
        return self.value is other.value or bool(self.value == other.value)

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


class ExternalName(Interned):
    """A name outside the project, qualified: a module, function or class (`torch.nn.functional.relu`)."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str) -> ExternalName:
        return cls._of((name,))

    def family(self) -> object:
        """Names count as one option of a Union: a table may contain many."""
        return ExternalName


class ExternalInstance(Interned):
    """An instance of a class outside the project (`torch.nn.LSTM`). `hooked`: it is a module with backward hooks.

    `settings` are those of concrete runs (concrete_torch.py), and a hook that stores the weight (hooks.py).
    """

    __slots__ = ("cls", "hooked", "settings")
    cls: str
    hooked: bool
    settings: frozenset[tuple[str, object]]

    def __new__(
        cls, name: str, hooked: bool = False, settings: frozenset[tuple[str, object]] = frozenset()
    ) -> ExternalInstance:
        return cls._of((name, hooked, settings))

    def family(self) -> object:
        """Instances count as one option of a Union, like their classes."""
        return ExternalInstance


class Compound(Value):
    """A value that is compared by its parts. Not a dataclass, for speed of construction."""

    __slots__ = ()
    _parts: ClassVar[attrgetter[Any]]  # the fields by which two instances are compared

    def __init_subclass__(cls) -> None:
        cls._parts = attrgetter(*vars(cls)["__slots__"])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return other.__class__ is self.__class__ and bool(self._parts(self) == self._parts(other))

    def __hash__(self) -> int:
        return hash(self._parts(self))


class Slice(Compound):
    """A slice with a bound from a tensor or an array: lower, upper and step, None if missing."""

    __slots__ = ("bounds",)

    def __init__(self, bounds: tuple[Value | None, ...]) -> None:
        self.bounds = bounds

    def sort(self) -> object:
        """Slices have one sort."""
        return Slice

    def merge(self, other: Slice) -> Value:
        """Bound by bound."""
        pairs = zip(self.bounds, other.bounds, strict=True)
        return Slice(tuple(a if a == b else UNKNOWN if a is None or b is None else join(a, b) for a, b in pairs))


TENSOR: Final = Tensor()
NONE: Final = Const(None)
SIZE: Final = Size()


def is_captured(value: Value, captures: bool) -> bool:
    """Whether a number stays in the graph, unknown to Python: drawn by `random`, or with `captures` read from a
    tensor."""
    return isinstance(value, Number) and (value.symbolic or captures)


def constant_kind(value: Value) -> str:
    """The kind of a value that is not tensor data: int, float, bool, str …; "" if unknown."""
    if type(value) is Const:
        return type(value.value).__name__
    if type(value) is Static:
        return value.kind
    return "int" if value is SIZE else ""


def python_kind(value: Value) -> str:
    """The kind of a Python value, as `constant_kind`, also of a number read from a tensor."""
    return value.kind if type(value) is Number else constant_kind(value)


def without_none(value: Value) -> Value:
    """The value without the option None."""
    if type(value) is not Union:
        return value
    if value.cached_without_none is None:
        rest = tuple(option for option in value.options if option is not NONE)
        result = UNKNOWN if len(rest) == len(value.options) else rest[0] if len(rest) == 1 else Union(rest)
        value.cached_without_none = result
    return value if value.cached_without_none is UNKNOWN else value.cached_without_none
