"""Values of a call as they are followed: tensors with sizes, objects with attributes, what nothing is known of."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, NoReturn

from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.recompiles.python_operations import StandIn, run_python
from breaklint.recompiles.scopes import Undecided
from breaklint.recompiles.sources import MODULE, Source


class Unknown(StandIn):
    """A value of which nothing is known. What is computed from it is unknown, too; what asks for it is undecided."""

    __slots__ = ()

    def _computed(self, *_: Any) -> Unknown:
        return self

    def _asked(self, *_: Any) -> NoReturn:
        raise Undecided

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _computed
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __neg__ = __abs__ = _computed
    __lt__ = __le__ = __gt__ = __ge__ = __index__ = __int__ = __float__ = _asked

    def __repr__(self) -> str:
        return "?"


UNKNOWN: Final = Unknown()


@dataclass(eq=False)
class Tensor(StandIn):
    """A tensor: its sizes (None: their number is unknown), each an int, a symbol or unknown.

    `layout` tells tensors of equal sizes apart that lie differently in memory.
    """

    shape: tuple[Any, ...] | None
    dtype: str = "float32"
    requires_grad: bool = False
    is_static: bool = False
    layout: str = ""
    device: str = "cpu"
    marks: dict[int, Any] = field(default_factory=dict)  # by dimension: how `mark_dynamic` has marked it, and where

    @property
    def ndim(self) -> int | None:
        """The number of dimensions."""
        return None if self.shape is None else len(self.shape)

    def like(self, shape: tuple[Any, ...] | None, dtype: str = "") -> Tensor:
        """A tensor computed from this one."""
        return Tensor(shape, dtype or self.dtype, self.requires_grad, device=self.device)


@dataclass(eq=False)
class Obj(StandIn):
    """An instance. `cls` is a class of the project, or the qualified name of one outside."""

    cls: ClassInfo | str
    attrs: dict[str, Any] = field(default_factory=dict)
    is_module: bool = False
    has_dynamic_ints: bool = False  # wherever it is kept, as optimizers have
    source: Source | None = None
    loaded: set[str] = field(default_factory=set)
    static: set[str] = field(default_factory=set)  # buffers and parameters, whose sizes are always fixed

    def load(self, name: str) -> Any:
        """An attribute that the object has itself; KeyError when it has none."""
        value = self.attrs[name]
        if self.source is not None and name not in self.loaded:
            self.loaded.add(name)
            value = self.attrs[name] = lazy(value, self.source.attribute(name, MODULE if self.is_module else ""))
        return value

    def store(self, name: str, value: Any) -> None:
        """Set an attribute."""
        if name in self.static and isinstance(value, Tensor):
            value = Tensor(**{**vars(value), "is_static": True})
        self.attrs[name] = value
        self.loaded.add(name)


@dataclass(eq=False)
class Lazy(StandIn):
    """A value of a source that nothing has used so far: Dynamo does not guard on it yet."""

    value: Any
    source: Source
    made_of: Callable[[Callable[[Any], Any]], Any] | None = None  # computes it from another such value
    forced: Any = None
    is_forced: bool = False


def lazy(value: Any, source: Source) -> Any:
    """A value of a source; what has no guards is returned as it is."""
    return value if isinstance(value, (Unknown, ClassInfo, Module, Bound)) else Lazy(value, source)


def unguarded(value: Any) -> Any:
    """A value whatever its source is."""
    return value.value if isinstance(value, Lazy) else value


@dataclass(eq=False)
class Closure(StandIn):
    """A function of the project with the variables of the functions around it."""

    info: FunctionInfo | None
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    module: Module
    scope: Any = None
    cls: ClassInfo | None = None
    options: dict[str, Any] = field(default_factory=dict)


class Deque(list[Any]):
    """A `collections.deque`: a list that drops its first items when it is full."""

    def __init__(self, items: Iterable[Any] = (), maxlen: int | None = None) -> None:
        super().__init__(items)
        self.maxlen = maxlen
        self._cut()

    def empty(self) -> Deque:
        """One with the same bound."""
        return Deque((), self.maxlen)

    def append(self, item: Any) -> None:
        """Add an item at the end."""
        super().append(item)
        self._cut()

    def extend(self, items: Iterable[Any]) -> None:
        """Add items at the end."""
        super().extend(items)
        self._cut()

    def appendleft(self, item: Any) -> None:
        """Add an item in front."""
        self.insert(0, item)
        if self.maxlen is not None:
            del self[self.maxlen :]

    def popleft(self) -> Any:
        """Take the first item."""
        return run_python(self.pop, 0)

    def _cut(self) -> None:
        if self.maxlen is not None:
            del self[: max(len(self) - self.maxlen, 0)]


class DefaultDict(dict[Any, Any]):
    """A `collections.defaultdict`: `factory` is what it calls for a key that is not there."""

    def __init__(self, factory: Any) -> None:
        super().__init__()
        self.factory = factory

    def empty(self) -> DefaultDict:
        """One with the same default."""
        return DefaultDict(self.factory)


@dataclass(eq=False)
class LocalClass(StandIn):
    """A class that a function makes, with what its body binds."""

    name: str
    names: dict[str, Any]
    number: int = field(default_factory=count().__next__)  # tells classes of one statement apart


@dataclass(eq=False)
class Bound(StandIn):
    """A method of an object, or a method of a value by its name."""

    owner: Any
    function: Closure | str


@dataclass(frozen=True)
class External(StandIn):
    """A name outside the project: `torch.nn.functional.relu`."""

    name: str


@dataclass(eq=False)
class Super(StandIn):
    """`super()`: the attributes of an object from behind one class on."""

    owner: Any
    after: ClassInfo


def copied(value: Any, memo: dict[int, Any]) -> Any:
    """A copy that shares nothing with the original that may change; equal identities stay equal."""
    if isinstance(value, (int, float, str, bytes, type(None), Unknown, Closure, ClassInfo, External, Module)):
        return value
    if id(value) in memo:
        return memo[id(value)][1]
    made: Any
    if isinstance(value, (list, set, dict)):
        made = value.empty() if isinstance(value, (Deque, DefaultDict)) else type(value)()
        memo[id(value)] = (value, made)
        if isinstance(value, list):
            made.extend(copied(each, memo) for each in value)
        elif isinstance(value, set):
            made.update(value)
        else:
            made.update((key, copied(each, memo)) for key, each in value.items())
        return made
    if isinstance(value, tuple):
        return tuple(copied(each, memo) for each in value)
    if isinstance(value, Obj):
        made = Obj(value.cls, {}, value.is_module, value.has_dynamic_ints, static=value.static)
        memo[id(value)] = (value, made)
        made.attrs.update((key, copied(each, memo)) for key, each in value.attrs.items())
        return made
    if isinstance(value, Bound):
        return Bound(copied(value.owner, memo), value.function)
    if isinstance(value, Tensor):
        memo[id(value)] = (value, made := Tensor(**vars(value)))
        return made
    return value
