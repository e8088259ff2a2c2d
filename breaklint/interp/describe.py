"""Text for abstract values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from breaklint.interp.callables import ClassValue, Function, Method, Partial, Super, Transform
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.lattice import UNKNOWN, Union, Unknown, Value
from breaklint.interp.objects import Instance
from breaklint.interp.values import (
    Array,
    Const,
    ExternalInstance,
    ExternalName,
    Number,
    Shape,
    Size,
    Slice,
    Static,
    Tensor,
)

DEPTH: Final = 2  # of containers in containers that are shown
LONGEST: Final = 6  # items of a container that are shown


def describe(value: Value, depth: int = DEPTH) -> str:
    """Text for an abstract value: `float tensor, 2 dimensions`, `list of tensor`, `bool known while tracing`."""
    describer = _OF.get(type(value))
    return type(value).__name__ if describer is None else describer(value, depth)


def _tensor(value: Tensor, _depth: int) -> str:
    parts = [f"{value.dtype} tensor" if value.dtype else "tensor"]
    if value.ndim is not None:
        parts.append("1 dimension" if value.ndim == 1 else f"{value.ndim} dimensions")
    if value.role:
        parts.append({"attribute": "held by a module"}.get(value.role, value.role))
    if value.assumed:
        parts.append("assumed: nothing proves it")
    return ", ".join(parts)


def _array(value: Array, _depth: int) -> str:
    rank = "" if value.ndim is None else f", {value.ndim} dimensions"
    return f"{value.dtype} NumPy array{rank}".strip()


def _number(value: Number, _depth: int) -> str:
    origin = "that the graph holds" if value.symbolic else "read from a tensor"
    return f"{value.kind or 'number'} {origin}"


def _static(value: Static, _depth: int) -> str:
    default = f", {value.default_text!r} by default" if value.default_text else ""
    return f"{value.kind or 'value'} constant while tracing{default}"


def _tuple(value: Tuple, depth: int) -> str:
    return f"({_listed(value.items, depth)})"


def _sequence(value: Sequence, depth: int) -> str:
    if value.items is not None:
        return f"{value.kind} [{_listed(value.items, depth)}]"
    return f"{value.kind} of {_inner(value.element, depth)}" if value.element is not None else f"empty {value.kind}"


def _dict(value: Dict, depth: int) -> str:
    pairs = [f"{key!r}: {_inner(item, depth)}" for key, item in [*value.items.items()][:LONGEST]]
    rest = value.rest
    return f"dict {{{', '.join([*pairs, *([] if rest is None else [f'…: {_inner(rest, depth)}'])])}}}"


def _listed(items: Iterable[Value], depth: int) -> str:
    texts = [_inner(item, depth) for item in items]
    return ", ".join(texts[:LONGEST] + (["…"] if len(texts) > LONGEST else []))


def _inner(value: Value, depth: int) -> str:
    return "…" if depth == 0 else describe(value, depth - 1)


def _method(value: Method, depth: int) -> str:
    if value.owner is UNKNOWN:
        return "unknown"  # no more than a name
    return f"method {value.name} of {_inner(value.owner, depth)}"


def _union(value: Union, depth: int) -> str:
    return " | ".join(sorted({describe(option, depth) for option in value.options}))


_OF: Final[dict[type[Value], Callable[[Any, int], str]]] = {
    Unknown: lambda _value, _depth: "unknown",
    Union: _union,
    Tensor: _tensor,
    Array: _array,
    Number: _number,
    Size: lambda _value, _depth: "int of a shape",
    Shape: lambda value, _depth: "shape" if value.ndim is None else f"shape of {value.ndim} sizes",
    Static: _static,
    Slice: lambda _value, _depth: "slice with a bound from data",
    Const: lambda value, _depth: repr(value.value),
    ExternalName: lambda value, _depth: value.name,
    ExternalInstance: lambda value, _depth: f"object of {value.cls}",
    Instance: lambda value, _depth: f"object of {value.cls.name}",
    ClassValue: lambda value, _depth: f"class {value.info.name}",
    Function: lambda value, _depth: f"function {value.info.name}",
    Method: lambda value, depth: _method(value, depth),
    Transform: lambda value, depth: f"{value.name} of {_inner(value.function, depth)}",
    Partial: lambda value, depth: f"partial of {_inner(value.function, depth)}",
    Super: lambda value, _depth: f"super() of {value.cls.name}",
    Tuple: _tuple,
    Sequence: _sequence,
    Dict: _dict,
}
