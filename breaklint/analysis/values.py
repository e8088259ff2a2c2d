"""Abstract values: what breaklint knows of a Python value at the time Dynamo traces it.

`Unknown` is the honest top: checks stay silent on it. Values are immutable, except the containers and instances, which
have identity as in Python and only ever grow (weak updates), so that an alias sees what was stored through another.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from breaklint.analysis.module import ClassInfo, FunctionInfo


class Value:
    """Base of all abstract values."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Unknown(Value):
    """Nothing is known."""


@dataclass(frozen=True, slots=True)
class Tensor(Value):
    """A tensor in the graph.

    `dtype` is a class of dtypes: bool, int, float, complex or "" (unknown). `ndim` is the number of dimensions when
    known. `assumed` marks a parameter taken for a tensor without proof, and what is computed from it alone. `role`
    says where
    it comes from: "parameter", "buffer", "input", "attribute", "sparse", or "" for one computed in the graph.
    """

    dtype: str = ""
    ndim: int | None = None
    assumed: bool = False
    role: str = ""


@dataclass(frozen=True, slots=True)
class Array(Value):
    """A NumPy array or NumPy scalar, which Dynamo traces as a tensor. `ndim` 0 is a scalar such as `np.prod` returns.

    `plain` is a NumPy function of one Python number (`np.sqrt(64)`): Dynamo knows its value.
    """

    dtype: str = ""
    ndim: int | None = None
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Number(Value):
    """A Python number read from tensor data (`.item()`, `float(t)`). `kind` is int, float, bool or "".

    `live` marks one that Dynamo keeps in the graph without a break (`random.randint`): needing its value breaks later.
    """

    kind: str = ""
    live: bool = False


@dataclass(frozen=True, slots=True)
class Size(Value):
    """An int that comes from a tensor's shape: known to the compiler, guarded, perhaps symbolic."""


@dataclass(frozen=True, slots=True)
class Shape(Value):
    """A `torch.Size`: the shape of a tensor, `ndim` entries long when known."""

    ndim: int | None = None


@dataclass(frozen=True, slots=True)
class Static(Value):
    """A Python value that no tensor's data reaches: a flag, a number, a string, a dtype. `kind` as `int`, or "".

    `usual` is the default of a parameter: what the value is when nobody says otherwise.
    """

    kind: str = ""
    usual: str = ""


@dataclass(frozen=True, slots=True)
class Const(Value):
    """A Python constant whose value is known."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class Symbol(Value):
    """Something outside the project, by qualified name: a module, function or class (`torch.nn.functional.relu`)."""

    name: str


@dataclass(frozen=True, slots=True)
class Object(Value):
    """An instance of a class outside the project (`torch.nn.LSTM`)."""

    cls: str


@dataclass(frozen=True, slots=True)
class Tuple(Value):
    """A tuple (or another immutable row of values) whose every item is known."""

    items: tuple[Value, ...]


class Sequence(Value):
    """A list, set, generator or tuple of unknown length. `items` while every item is known, else None."""

    __slots__ = ("element", "items", "kind")

    def __init__(self, element: Value | None = None, items: list[Value] | None = None, kind: str = "list") -> None:
        self.items = items
        self.kind = kind
        self.element: Value | None = element if items is None else join_all(items)

    def add(self, value: Value) -> None:
        """One more item (append, add): from here on only the join of the items is known."""
        self.items = None
        self.element = value if self.element is None else join(self.element, value)


class Dict(Value):
    """A dict; `items` by constant key, `rest` the join of values under keys that are not known."""

    __slots__ = ("items", "rest")

    def __init__(self, items: dict[Any, Value] | None = None, rest: Value | None = None) -> None:
        self.items = items or {}
        self.rest = rest

    def get(self, key: Value) -> Value:
        """The value under `key`; Unknown when it may be anything."""
        if isinstance(key, Const):
            found = self.items.get(key.value, self.rest)
            return UNKNOWN if found is None else found
        return self.any()

    def any(self) -> Value:
        """The join of all values."""
        values = [*self.items.values(), *([self.rest] if self.rest else [])]
        return join_all(values) or UNKNOWN

    def put(self, key: Value, value: Value) -> None:
        """Store weakly: what was there may still be."""
        if isinstance(key, Const):
            old = self.items.get(key.value)
            self.items[key.value] = value if old is None else join(old, value)
        else:
            self.rest = value if self.rest is None else join(self.rest, value)


class Instance(Value):
    """An instance of a class of the project, with what is known of its attributes.

    `outside`: made before the traced code runs, by a constructor or at module level.
    """

    __slots__ = ("attrs", "cls", "outside", "pending", "ready")

    def __init__(self, cls: ClassInfo, outside: bool) -> None:
        self.cls, self.outside = cls, outside
        self.attrs: dict[str, Value] = {}
        self.pending: list[tuple[frozenset[str], Callable[[], None]]] = []  # put off: what it stores, and how to run it
        self.ready = False

    def get(self, name: str) -> Value | None:
        """What is stored under a name (`*`: under names that are not known), once all that may store it has run."""
        if self.pending:
            self.settle(name)
        return self.attrs.get(name)

    def settle(self, name: str) -> None:
        """Run what was put off and may store the attribute."""
        due = [run for stores, run in self.pending if name in stores]
        if due:
            self.pending = [later for later in self.pending if name not in later[0]]
            for run in due:
                run()

    def settle_all(self) -> None:
        """Run all that was put off."""
        while self.pending:
            self.pending.pop(0)[1]()


@dataclass(frozen=True, slots=True)
class ClassValue(Value):
    """A class of the project."""

    info: ClassInfo


@dataclass(frozen=True, slots=True)
class Function(Value):
    """A function of the project, bound to `owner` when it is a method; `closure` is the enclosing scope."""

    info: FunctionInfo
    owner: Value | None = None
    closure: Any = None


@dataclass(frozen=True, slots=True)
class Method(Value):
    """A bound method of a value that is no Instance (`x.sum`)."""

    owner: Value
    name: str
    node: ast.expr | None = None


@dataclass(frozen=True, slots=True)
class Partial(Value):
    """`functools.partial(function, *args, **kwargs)`."""

    function: Value
    args: tuple[Value, ...]
    kwargs: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Super(Value):
    """`super()` in a method of `cls` on `owner`."""

    cls: ClassInfo
    owner: Value


@dataclass(frozen=True, slots=True)
class Union(Value):
    """One of a few values; never holds Unknown or another Union."""

    options: frozenset[Value]


UNKNOWN = Unknown()
TENSOR = Tensor()
NONE = Const(None)
SIZE = Size()
MAX_OPTIONS = 5
MAX_ITEMS = 4096  # of a row that is put together from others: it may double with every line


def join_all(values: Iterable[Value]) -> Value | None:
    """The join of `values`, None when there are none."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return result


def join(a: Value, b: Value) -> Value:
    """The smallest value that covers both."""
    if a is b or a == b:
        return a
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return UNKNOWN
    if isinstance(a, Union) or isinstance(b, Union):
        return _union([*options(a), *options(b)])
    merged = _merge(a, b)
    return merged if merged is not None else _union([a, b])


def options(value: Value) -> tuple[Value, ...]:
    """The possible values of a Union, or the value itself."""
    return tuple(value.options) if isinstance(value, Union) else (value,)


def without_none(value: Value) -> Value:
    """The value once it is known not to be None."""
    if not isinstance(value, Union):
        return value
    rest = [option for option in value.options if option != NONE]
    return _union(rest) if rest else NONE


def each(value: Value, function: Callable[[Value], Value]) -> Value:
    """The join of `function` over the options of `value`."""
    if not isinstance(value, Union):
        return function(value)
    return join_all([function(option) for option in value.options]) or UNKNOWN


def is_tensor(value: Value) -> bool:
    """Whether the value is a tensor wherever it is anything but None."""
    return isinstance(value, Tensor) or (isinstance(value, Union) and isinstance(without_none(value), Tensor))


def constant_kind(value: Value) -> str:
    """int, float, bool, str … of a value that is no tensor's data; "" when that is not known."""
    if isinstance(value, Const):
        return type(value.value).__name__
    if isinstance(value, Size):
        return "int"
    return value.kind if isinstance(value, Static) else ""


def is_static(value: Value) -> bool:
    """Whether no tensor's data can reach the value."""
    if isinstance(value, Tuple):
        return all(is_static(item) for item in value.items)
    if isinstance(value, Union):
        return all(is_static(option) for option in value.options)
    return isinstance(value, (Const, Static, Size, Shape))


def key(value: Value, depth: int = 3) -> object:
    """A hashable summary: two values with the same key mean the same to a callee."""
    if isinstance(value, Sequence):
        if depth == 0:
            return "sequence"
        inner = None if value.items is None else tuple(key(item, depth - 1) for item in value.items[:16])
        return ("sequence", value.kind, inner, None if value.element is None else key(value.element, depth - 1))
    if isinstance(value, Dict):
        if depth == 0:
            return "dict"
        return (
            "dict",
            tuple((name, key(item, depth - 1)) for name, item in sorted_items(value)[:32]),
            None if value.rest is None else key(value.rest, depth - 1),
        )
    if isinstance(value, Tuple):
        return ("tuple", tuple(key(item, depth - 1) for item in value.items)) if depth else "tuple"
    if isinstance(value, Function):
        return (id(value.info), id(value.owner), id(value.closure))
    if isinstance(value, Partial):
        return ("partial", key(value.function, 1), tuple(key(item, 1) for item in value.args))
    if isinstance(value, (Method, Super)):
        return (type(value).__name__, id(value.owner))
    if isinstance(value, Union):
        return frozenset(key(option, depth - 1) for option in value.options) if depth else "union"
    return value


def sorted_items(value: Dict) -> list[tuple[Any, Value]]:
    """The known items in an order that does not depend on insertion."""
    return sorted(value.items.items(), key=lambda item: repr(item[0]))


def _merge(a: Value, b: Value) -> Value | None:
    """The join of two unlike values of one sort, None when they are of different sorts."""
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return Tensor(
            a.dtype if a.dtype == b.dtype else "",
            a.ndim if a.ndim == b.ndim else None,
            a.assumed or b.assumed,
            a.role if a.role == b.role else "",
        )
    if isinstance(a, Array) and isinstance(b, Array):
        return Array(a.dtype if a.dtype == b.dtype else "", a.ndim if a.ndim == b.ndim else None)
    if isinstance(a, Number) and isinstance(b, Number):
        return Number(a.kind if a.kind == b.kind else "", a.live and b.live)
    if isinstance(a, Number) and isinstance(b, (Const, Static, Size)) and b != NONE:
        return Number(a.kind if constant_kind(b) == a.kind else "", a.live)
    if isinstance(b, Number) and isinstance(a, (Const, Static, Size)) and a != NONE:
        return _merge(b, a)
    if isinstance(a, Shape) and isinstance(b, Shape):
        return Shape()
    if isinstance(a, Tuple) and isinstance(b, Tuple):
        if len(a.items) == len(b.items):
            return Tuple(tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True)))
        return Sequence(join_all([*a.items, *b.items]), kind="tuple")
    if isinstance(a, Instance) and isinstance(b, Instance) and a.cls is b.cls:
        return a
    if isinstance(a, Object) and isinstance(b, Object) and a.cls == b.cls:
        return Object(a.cls)
    if isinstance(a, Sequence) and isinstance(b, Sequence):
        return _merge_sequences(a, b)
    return _merge_static(a, b)


def _merge_sequences(a: Sequence, b: Sequence) -> Value:
    element = a.element if b.element is None else b.element if a.element is None else join(a.element, b.element)
    return Sequence(element, kind=a.kind if a.kind == b.kind else "list")


def _merge_static(a: Value, b: Value) -> Value | None:
    if a == NONE or b == NONE or not isinstance(a, (Const, Static, Size)) or not isinstance(b, (Const, Static, Size)):
        return None
    first, second = constant_kind(a), constant_kind(b)
    return Static(first if first == second else "")


def _union(values: list[Value]) -> Value:
    """A Union of the values, merged where they are of one sort; Unknown when there are too many."""
    merged: list[Value] = []
    for value in values:
        for place, other in enumerate(merged):
            both = other if other == value else _merge(other, value)
            if both is not None:
                merged[place] = both
                break
        else:
            merged.append(value)
    if len(merged) == 1:
        return merged[0]
    return Union(frozenset(merged)) if len(merged) <= MAX_OPTIONS else UNKNOWN
