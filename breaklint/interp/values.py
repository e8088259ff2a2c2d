"""Abstract values without identity: tensors, numbers, sizes, constants, names from outside the project.

They are immutable. Those of the classes that have a `__new__` here are made once and kept, so that comparing them is
comparing identities. Containers (containers.py) and instances (objects.py) have identity as in Python.
"""

# ruff: noqa: D102 - what `__new__` takes are the fields that the class describes

from __future__ import annotations

from typing import Any, ClassVar, Final

from breaklint.interp.lattice import UNKNOWN, Union, Value, join

CONSTANT: Final = "constant"
OF_SIZE: Final = "size constant"
SIZED_BY_DATA: Final = "sized by data"  # its first size is a number in the graph, with fullgraph=True
KNOWN: Final = frozenset({CONSTANT, OF_SIZE})


class Tensor(Value):
    """A tensor in the graph.

    `dtype` is a class of dtypes: bool, int, float, complex or "" (unknown). `ndim` is the number of dimensions when
    known. `assumed` marks a parameter taken for a tensor without proof, and what is computed from it alone. `role`
    says where it comes from: "parameter", "buffer", "nn.Buffer" (an instance of that class), "input", "attribute",
    "sparse", "constant" (one number, made of numbers that Dynamo knows), "size constant" (of sizes, too), or "" for one
    computed in the graph. `sizes` are known in code that runs turn by turn alone (made.py).
    """

    __slots__ = ("assumed", "dtype", "ndim", "role", "sizes")
    _made: ClassVar[dict[object, Tensor]] = {}
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
        known = cls._made.get((dtype, ndim, assumed, role, sizes))
        if known is None:
            known = cls._made[dtype, ndim, assumed, role, sizes] = object.__new__(cls)
            known.dtype, known.ndim, known.assumed, known.role, known.sizes = dtype, ndim, assumed, role, sizes
        return known

    def sort(self) -> object:
        return Tensor

    def merge(self, other: Tensor) -> Value:
        return Tensor(
            self.dtype if self.dtype == other.dtype else "",
            self.ndim if self.ndim == other.ndim else None,
            self.assumed or other.assumed,
            self.role if self.role == other.role else OF_SIZE if KNOWN.issuperset((self.role, other.role)) else "",
            self.sizes if self.sizes == other.sizes else None,
        )


class Array(Value):
    """A NumPy array or NumPy scalar, which Dynamo traces as a tensor. `ndim` 0 is a scalar such as `np.prod` returns.

    `python_scalar` is a NumPy function of one Python number (`np.sqrt(64)`): Dynamo knows its value.
    """

    __slots__ = ("dtype", "ndim", "python_scalar")
    _made: ClassVar[dict[object, Array]] = {}
    dtype: str
    ndim: int | None
    python_scalar: bool

    def __new__(cls, dtype: str = "", ndim: int | None = None, python_scalar: bool = False) -> Array:
        known = cls._made.get((dtype, ndim, python_scalar))
        if known is None:
            known = cls._made[dtype, ndim, python_scalar] = object.__new__(cls)
            known.dtype, known.ndim, known.python_scalar = dtype, ndim, python_scalar
        return known

    def sort(self) -> object:
        return Array

    def merge(self, other: Array) -> Value:
        dtype, ndim = self.dtype if self.dtype == other.dtype else "", self.ndim if self.ndim == other.ndim else None
        return Array(dtype, ndim, self.python_scalar and other.python_scalar)


class PythonValue(Value):
    """A number, a size, a flag, a text: neither a tensor nor an object with identity."""

    __slots__ = ()

    def sort(self) -> object:
        return PythonValue

    def merge(self, other: Value) -> Value:
        kind = _kind(self) if _kind(self) == _kind(other) else ""
        numbers = [value for value in (self, other) if isinstance(value, Number)]
        return Number(kind, all(number.symbolic for number in numbers)) if numbers else Static(kind)


class Number(PythonValue):
    """A Python number read from tensor data (`.item()`, `float(t)`). `kind` is int, float, bool or "".

    `symbolic` marks one that Dynamo keeps in the graph without a break (`random.randint`): needing its value breaks
    later.
    """

    __slots__ = ("kind", "symbolic")
    _made: ClassVar[dict[object, Number]] = {}
    kind: str
    symbolic: bool

    def __new__(cls, kind: str = "", symbolic: bool = False) -> Number:
        known = cls._made.get((kind, symbolic))
        if known is None:
            known = cls._made[kind, symbolic] = object.__new__(cls)
            known.kind, known.symbolic = kind, symbolic
        return known


class Size(PythonValue):
    """An int that comes from a tensor's shape: known to the compiler, guarded, perhaps symbolic."""

    __slots__ = ()
    _made: ClassVar[dict[object, Size]] = {}

    def __new__(cls) -> Size:
        return cls._made.get(None) or cls._made.setdefault(None, object.__new__(cls))


class Shape(Value):
    """A `torch.Size`: the shape of a tensor, `ndim` entries long when known."""

    __slots__ = ("ndim",)
    _made: ClassVar[dict[object, Shape]] = {}
    ndim: int | None

    def __new__(cls, ndim: int | None = None) -> Shape:
        known = cls._made.get(ndim)
        if known is None:
            known = cls._made[ndim] = object.__new__(cls)
            known.ndim = ndim
        return known

    def sort(self) -> object:
        return Shape

    def merge(self, other: Shape) -> Value:
        return Shape()


class Static(PythonValue):
    """A Python value that no tensor's data reaches: a flag, a number, a string, a dtype. `kind` as `int`, or "".

    `default_text` is the default of a parameter: the value when the argument is left out.
    """

    __slots__ = ("default_text", "kind")
    _made: ClassVar[dict[object, Static]] = {}
    kind: str
    default_text: str

    def __new__(cls, kind: str = "", default_text: str = "") -> Static:
        known = cls._made.get((kind, default_text))
        if known is None:
            known = cls._made[kind, default_text] = object.__new__(cls)
            known.kind, known.default_text = kind, default_text
        return known


class Const(PythonValue):
    """A Python constant whose value is known."""

    __slots__ = ("value",)
    _made: ClassVar[dict[object, Const]] = {}
    value: Any

    def __new__(cls, value: Any) -> Const:
        key = (value.__class__, value)
        known = cls._made.get(key)
        if known is None:
            known = object.__new__(cls)
            known.value = value
            if value is None or isinstance(value, (bool, int)):  # texts and the like are too many to keep
                cls._made[key] = known
        return known

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


class ExternalName(Value):
    """Something outside the project, by qualified name: a module, function or class (`torch.nn.functional.relu`)."""

    __slots__ = ("name",)
    _made: ClassVar[dict[str, ExternalName]] = {}
    name: str

    def __new__(cls, name: str) -> ExternalName:
        known = cls._made.get(name)
        if known is None:
            known = cls._made[name] = object.__new__(cls)
            known.name = name
        return known

    def family(self) -> object:
        """Names count as one option of a Union: tables choose among many."""
        return ExternalName


class ExternalInstance(Value):
    """An instance of a class outside the project (`torch.nn.LSTM`). `hooked`: it is a module with backward hooks.

    `settings` are known in code that runs turn by turn alone (made.py).
    """

    __slots__ = ("cls", "hooked", "settings")
    _made: ClassVar[dict[object, ExternalInstance]] = {}
    cls: str
    hooked: bool
    settings: frozenset[tuple[str, object]]

    def __new__(
        cls, name: str, hooked: bool = False, settings: frozenset[tuple[str, object]] = frozenset()
    ) -> ExternalInstance:
        key = (name, hooked, settings) if hooked or settings else name
        known = cls._made.get(key)
        if known is None:
            known = cls._made[key] = object.__new__(cls)
            known.cls, known.hooked, known.settings = name, hooked, settings
        return known

    def family(self) -> object:
        """Instances count as one option of a Union, as their classes do."""
        return ExternalInstance


class Compound(Value):
    """A value that is compared by its parts. No dataclass: these are made too often for a constructor that is made."""

    __slots__ = ()

    def _parts(self) -> tuple[object, ...]:
        """The values by which two instances of a class are compared."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return other.__class__ is self.__class__ and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())


class Slice(Compound):
    """A slice with a bound that a tensor or an array gives: lower, upper and step, None where it is left out."""

    __slots__ = ("bounds",)

    def __init__(self, bounds: tuple[Value | None, ...]) -> None:
        self.bounds = bounds

    def _parts(self) -> tuple[object, ...]:
        return self.bounds

    def sort(self) -> object:
        """Slices are one sort."""
        return Slice

    def merge(self, other: Slice) -> Value:
        """Bound by bound."""
        pairs = zip(self.bounds, other.bounds, strict=True)
        return Slice(tuple(a if a == b else UNKNOWN if a is None or b is None else join(a, b) for a, b in pairs))


TENSOR: Final = Tensor()
NONE: Final = Const(None)
SIZE: Final = Size()


def is_captured(value: Value, captures: bool) -> bool:
    """Whether a number stays in the graph, so that Python does not know it: drawn by `random`, or with `captures` read
    from a tensor."""
    return isinstance(value, Number) and (value.symbolic or captures)


def constant_kind(value: Value) -> str:
    """int, float, bool, str … of a value that is not tensor data; "" if it is not known."""
    if type(value) is Const:
        return type(value.value).__name__
    if type(value) is Static:
        return value.kind
    return "int" if value is SIZE else ""


def without_none(value: Value) -> Value:
    """The value once it is known not to be None."""
    if type(value) is not Union:
        return value
    if value.cached_without_none is None:
        rest = tuple(option for option in value.options if option is not NONE)
        left = UNKNOWN if len(rest) == len(value.options) else rest[0] if len(rest) == 1 else Union(rest)
        value.cached_without_none = left
    return value if value.cached_without_none is UNKNOWN else value.cached_without_none


def _kind(value: Value) -> str:
    return value.kind if isinstance(value, Number) else constant_kind(value)
