"""One compilation of a frame: what becomes symbolic, and the guards on what it reads."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from breaklint.recompiles.objects import Closure, External, Lazy, Obj, Tensor, Unknown, lazy
from breaklint.recompiles.options import FIRST_DYNAMIC, Options
from breaklint.recompiles.sources import GLOBAL, LOCAL, MODULE, Guard, Source
from breaklint.recompiles.symbols import Expr, Sym, evaluate, sources_of, text_of

DYNAMIC: Final = "dynamic"


@dataclass
class FrameState:
    """What Dynamo remembers of the values that made a function compile: a number or a size that differs is dynamic."""

    numbers: dict[str, Any] = field(default_factory=dict)
    sizes: dict[str, tuple[Any, ...] | str] = field(default_factory=dict)

    def number(self, name: str, value: Any) -> bool:
        """Note a number; whether it has varied."""
        known = self.numbers.setdefault(name, value)
        if known != value:
            self.numbers[name] = DYNAMIC
        return bool(self.numbers[name] == DYNAMIC)

    def tensor(self, name: str, shape: tuple[Any, ...]) -> tuple[bool, ...]:
        """Note the sizes of a tensor; which have varied."""
        self.numbers[name] = DYNAMIC
        known = self.sizes.setdefault(name, shape)
        if isinstance(known, str) or len(known) != len(shape):
            self.sizes[name] = DYNAMIC
            return (True,) * len(shape)
        merged = tuple(old if _same(old, new) else DYNAMIC for old, new in zip(known, shape, strict=True))
        self.sizes[name] = merged
        return tuple(each == DYNAMIC for each in merged)


def _same(old: Any, new: Any) -> bool:
    return old is new or (not isinstance(old, Unknown) and not isinstance(new, Unknown) and old == new)


class Trace:
    """The guards of one compilation, in the order in which they are made."""

    def __init__(self, state: FrameState, options: Options) -> None:
        self.state, self.options = state, options
        self.guards: dict[Guard, None] = {}
        self.operations = 0
        self.row: int | None = None
        self.node: ast.AST | None = None
        self.filename = ""
        self.known: dict[str, Any] = {}
        self.broke = False
        self.is_partial = False  # whether something was called of which nothing is known
        self.keys: dict[int, Source] = {}

    def guard(self, text: str, holds: Callable[[Any], bool], *sources: Source) -> None:
        """Add a guard on some sources, which the current row makes."""
        self.guards.setdefault(Guard(text, holds, self.row, self.filename, sources, self.node))

    def guard_expression(self, expr: Expr) -> None:
        """Add a guard on an expression over sources."""
        self.guard(text_of(expr), lambda world: bool(evaluate(expr, world)), *sources_of(expr))

    def force(self, value: Any) -> Any:
        """What a value of a source is when code uses it; guards on it are made the first time."""
        if not isinstance(value, Lazy):
            return value
        if value.made_of is not None:
            return value.made_of(self.force)
        if not value.is_forced:
            known = self.known.get(value.source.text)
            value.forced = self._wrapped(value.value, value.source) if known is None else known[0]
            self.known[value.source.text] = (value.forced,)
            value.is_forced = True
        return value.forced

    def _wrapped(self, value: Any, source: Source) -> Any:
        if isinstance(value, Tensor):
            return self._tensor(value, source)
        if isinstance(value, External):
            self.guard(f"{source.text} == {value.name}", lambda world: source.read(world) == value, source)
        if isinstance(value, (bool, str, bytes, type(None))):
            self._exact(value, source)
            return value
        if isinstance(value, int):
            return self._int(value, source)
        if isinstance(value, float):
            return self._float(value, source)
        if isinstance(value, (list, tuple)):
            return self._items(value, source)
        if isinstance(value, dict):
            self.keys[id(value)] = source
            value.update((key, lazy(each, source.item(key))) for key, each in value.items())
            return value
        if isinstance(value, (set, frozenset)):
            text = f"{source.text} == {value!r}" if value else f"not {source.text}"
            members = frozenset(value)
            self.guard(text, lambda world: frozenset(source.read(world)) == members, source)
            return value
        if isinstance(value, Obj):
            if value.source is None:
                value.loaded = set()  # what its constructor has stored was there before the call
            kind = MODULE if value.is_module else LOCAL if value.has_dynamic_ints else source.kind
            value.source = replace(source, kind=kind)
            cls = value.cls
            self.guard(f"type({source.text})", lambda world: source.read(world).cls == cls, source)
        if isinstance(value, Closure):
            node = value.node
            self.guard(f"{source.text}.__code__", lambda world: source.read(world).node is node, source)
        return value

    def _exact(self, value: Any, source: Source) -> None:
        text = f"{source.text} is None" if value is None else f"{source.text} == {value!r}"

        def holds(world: Any) -> bool:
            found = source.read(world)
            return type(found) is type(value) and bool(found == value)

        self.guard(text, holds, source)

    def _has_type(self, kind: type, source: Source) -> None:
        self.guard(f"type({source.text}) is {kind.__name__}", lambda world: type(source.read(world)) is kind, source)

    def _int(self, value: int, source: Source) -> Any:
        varied = self.state.number(source.text, value)
        fixed = source.kind == GLOBAL or (source.kind == MODULE and not self.options.allow_unspec_int)
        if self.options.dynamic_ints:
            varied = source.text in self.options.dynamic_ints
        if fixed or self.options.dynamic is False or not (varied or self.options.dynamic):
            self._exact(value, source)
            return value
        self._has_type(int, source)
        return Sym(value, source, self)

    def _float(self, value: float, source: Source) -> Any:
        varied = self.state.number(source.text, value)
        dynamic = self.options.dynamic is not False and (varied or self.options.dynamic)
        if not dynamic or math.isinf(value) or math.isnan(value):
            if math.isnan(value):
                self.guard(f"math.isnan({source.text})", lambda world: math.isnan(source.read(world)), source)
            else:
                self._exact(value, source)
            return value
        self._has_type(float, source)
        self.guard(f"not math.isnan({source.text})", lambda world: not math.isnan(source.read(world)), source)
        return Sym(value, source, self)

    def _items(self, value: list[Any] | tuple[Any, ...], source: Source) -> Any:
        kind, count = type(value), len(value)
        self._has_type(kind, source)
        text = f"len({source.text}) == {count}" if count else f"not {source.text}"
        self.guard(text, lambda world: len(source.read(world)) == count, source)
        items = [lazy(each, source.item(index)) for index, each in enumerate(value)]
        if isinstance(value, list):
            value[:] = items
            return value
        return tuple(items)

    def _tensor(self, value: Tensor, source: Source) -> Any:
        text = source.text
        if value.shape is None:
            return value
        for name in ("dtype", "ndim", "requires_grad", "device", "layout"):
            wanted = getattr(value, name)
            if wanted != "":
                self.guard(f"{text}.{name} == {wanted!r}", _reads(source, name, wanted), source)
        shape = tuple(value.shape)
        varied = (False,) * len(shape) if value.is_static else self.state.tensor(text, shape)
        sizes = [self._size(size, source.size(dim), varied[dim], value) for dim, size in enumerate(shape)]
        made = Tensor(tuple(sizes), value.dtype, value.requires_grad, value.is_static, value.layout, value.device)
        if self.options.dynamic:
            self._duck_sizes(sizes)
        return made

    def _size(self, size: Any, source: Source, varied: bool, tensor: Tensor) -> Any:
        if isinstance(size, Unknown):
            return size
        wanted = varied if self.options.dynamic is None else self.options.dynamic
        mark = self.options.mark_of(source)
        wanted = mark is not None or (wanted and not self.options.dynamic_ints)
        if wanted and not tensor.is_static and size >= FIRST_DYNAMIC:
            self.guard(f"{source.text} >= 2", lambda world: source.read(world) >= FIRST_DYNAMIC, source)
            return Sym(size, source, self)
        self.guard(f"{source.text} == {size}", lambda world: source.read(world) == size, source)
        return size

    def _duck_sizes(self, sizes: list[Any]) -> None:
        """With `dynamic=True`, sizes that are equal in the call that is traced are taken to be equal in all."""
        known = self.known.setdefault("duck sizes", {})
        for size in sizes:
            if isinstance(size, Sym):
                first = known.setdefault(size.val, size)
                if first is not size:
                    self.guard_expression(("==", size.expr, first.expr))


def _reads(source: Source, name: str, wanted: Any) -> Callable[[Any], bool]:
    return lambda world: getattr(source.read(world), name) == wanted


def argument(name: str) -> Source:
    """The source of an argument of the entry."""
    return Source(name, lambda world: world.arguments[name], LOCAL)


def variable(name: str) -> Source:
    """The source of a variable of a function around the entry."""
    return Source(name, lambda world: world.closure.find(name), LOCAL, key=("closure", name))


def global_name(module: str, name: str, text: str = "") -> Source:
    """The source of a name of a module's top level, or of an attribute of a class."""
    return Source(text or name, lambda world: world.globals[module, name], GLOBAL, key=(module, name))
