"""Abstract values: what breaklint knows of a Python value at the time Dynamo traces it.

`Unknown` is the honest top: checks stay silent on it. Values are immutable, except the containers (containers.py) and
instances (objects.py), which have identity as in Python and only ever grow (weak updates), so that an alias sees what
was stored through another.

Values of the classes that have a `__new__` here are made once and kept, so that comparing them is comparing identities:
nothing is made and compared more often.
"""

# ruff: noqa: D102 - what `__new__` takes are the fields that the class describes

from __future__ import annotations

from typing import Any, ClassVar, Final


class Value:
    """Base of all abstract values."""

    __slots__ = ()

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in _slots(self))
        return f"{type(self).__name__}({fields})"


def _slots(value: Value) -> tuple[str, ...]:
    return type(value).__slots__


class Unknown(Value):
    """Nothing is known."""

    __slots__ = ()
    _made: ClassVar[dict[object, Unknown]] = {}

    def __new__(cls) -> Unknown:
        return cls._made.get(None) or cls._made.setdefault(None, object.__new__(cls))


class Tensor(Value):
    """A tensor in the graph.

    `dtype` is a class of dtypes: bool, int, float, complex or "" (unknown). `ndim` is the number of dimensions when
    known. `assumed` marks a parameter taken for a tensor without proof, and what is computed from it alone. `role`
    says where it comes from: "parameter", "buffer", "input", "attribute", "sparse", or "" for one computed in the
    graph.
    """

    __slots__ = ("assumed", "dtype", "ndim", "role")
    _made: ClassVar[dict[object, Tensor]] = {}
    dtype: str
    ndim: int | None
    assumed: bool
    role: str

    def __new__(cls, dtype: str = "", ndim: int | None = None, assumed: bool = False, role: str = "") -> Tensor:
        known = cls._made.get((dtype, ndim, assumed, role))
        if known is None:
            known = cls._made[dtype, ndim, assumed, role] = object.__new__(cls)
            known.dtype, known.ndim, known.assumed, known.role = dtype, ndim, assumed, role
        return known


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


class Number(Value):
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


class Size(Value):
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


class Static(Value):
    """A Python value that no tensor's data reaches: a flag, a number, a string, a dtype. `kind` as `int`, or "".

    `default_text` is the default of a parameter: what the value is when nobody says otherwise.
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


class Const(Value):
    """A Python constant whose value is known."""

    __slots__ = ("value",)
    _made: ClassVar[dict[object, Const]] = {}
    value: Any

    def __new__(cls, value: Any) -> Const:
        key = (type(value), value)
        known = cls._made.get(key)
        if known is None:
            known = object.__new__(cls)
            known.value = value
            if value is None or isinstance(value, (bool, int)):  # texts and the like are too many to keep
                cls._made[key] = known
        return known

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Const) and type(self.value) is type(other.value) and self.value == other.value
        )

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


class ExternalInstance(Value):
    """An instance of a class outside the project (`torch.nn.LSTM`)."""

    __slots__ = ("cls",)
    _made: ClassVar[dict[str, ExternalInstance]] = {}
    cls: str

    def __new__(cls, name: str) -> ExternalInstance:
        known = cls._made.get(name)
        if known is None:
            known = cls._made[name] = object.__new__(cls)
            known.cls = name
        return known


class Compound(Value):
    """A value that is compared by its parts. No dataclass: these are made too often for a constructor that is made."""

    __slots__ = ()

    def _parts(self) -> tuple[object, ...]:
        """What tells two of a class apart."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Compound) and type(other) is type(self) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())


class Tuple(Compound):
    """A tuple (or another immutable row of values) whose every item is known."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[Value, ...]) -> None:
        self.items = items

    def _parts(self) -> tuple[object, ...]:
        return (self.items,)


class Union(Value):
    """One of a few values; never holds Unknown or another Union. Equal in whatever order it names them."""

    __slots__ = ("_set", "cached_without_none", "options")

    def __init__(self, values: tuple[Value, ...]) -> None:
        self.options, self._set = values, frozenset(values)
        # What is left without None, once somebody has asked; UNKNOWN for all of it, as one that held itself would be
        # freed by the collector of garbage only.
        self.cached_without_none: Value | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Union) and self._set == other._set

    def __hash__(self) -> int:
        return hash(self._set)


UNKNOWN: Final = Unknown()
TENSOR: Final = Tensor()
NONE: Final = Const(None)
SIZE: Final = Size()
MAX_ITEMS: Final = 4096  # of a row that is put together from others: it may double with every line


def constant_kind(value: Value) -> str:
    """int, float, bool, str … of a value that is no tensor's data; "" when that is not known."""
    if type(value) is Const:
        return type(value.value).__name__
    if type(value) is Static:
        return value.kind
    return "int" if value is SIZE else ""
