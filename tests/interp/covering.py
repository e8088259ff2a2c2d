"""Whether an abstract value covers a concrete one: what the abstract interpreter has to guarantee.

Concrete values change after an expression has given them, so that what is compared is a copy (`frozen`).
"""

from __future__ import annotations

import types
from typing import Any, Final, NamedTuple

import torch

from breaklint.interp.callables import ClassValue, Function, Method, Partial, Super
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.lattice import UNKNOWN, Union, Value
from breaklint.interp.objects import Instance
from breaklint.interp.values import (
    Array,
    Const,
    ExternalInstance,
    ExternalName,
    Number,
    Shape,
    Size,
    Static,
    Tensor,
    constant_kind,
)

MAX_DEPTH: Final = 4
DTYPES: Final = {torch.bool: "bool", torch.float32: "float", torch.float64: "float", torch.complex64: "complex"}
VIEWS: Final = (type({}.keys()), type({}.values()), type({}.items()))
Function_types: Final = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)


class Object(NamedTuple):
    """An object as it was: its class and its attributes."""

    cls: type
    attributes: dict[str, object]


class Deep(NamedTuple):
    """What is held too deep inside of other values to be compared."""


def frozen(value: object, depth: int = MAX_DEPTH) -> object:
    """A copy of a concrete value that later changes of it leave alone."""
    kind = type(value)
    if depth == 0 and (kind in (list, tuple, set, dict) or _is_object(value)):
        return Deep()
    if kind in (list, tuple, set):
        return kind(frozen(item, depth - 1) for item in value)  # type: ignore[attr-defined]
    if kind is dict:
        return {key: frozen(item, depth - 1) for key, item in value.items()}  # type: ignore[attr-defined]
    if kind in VIEWS:
        return [frozen(item, depth - 1) for item in value]  # type: ignore[attr-defined]
    if _is_object(value):
        attributes = {} if isinstance(value, torch.nn.Module) else vars(value)
        return Object(kind, {name: frozen(item, min(depth - 1, 1)) for name, item in attributes.items()})
    return value


def _is_object(value: object) -> bool:
    return type(value).__module__ == "model"


def covers(abstract: Value | None, concrete: object) -> bool:
    """Whether the concrete value is one of those that the abstract one stands for."""
    if abstract is UNKNOWN or isinstance(concrete, Deep):
        return True
    if abstract is None:
        return False
    if isinstance(abstract, Union):
        return any(covers(option, concrete) for option in abstract.options)
    return COVERS[type(abstract)](abstract, concrete)


def _tensor(abstract: Tensor, concrete: object) -> bool:
    if abstract.assumed:
        return True
    if not isinstance(concrete, torch.Tensor):
        return False
    dtype = DTYPES.get(concrete.dtype, "int")
    return abstract.dtype in ("", dtype) and abstract.ndim in (None, concrete.ndim)


def _const(abstract: Const, concrete: object) -> bool:
    return type(abstract.value) is type(concrete) and bool(abstract.value == concrete)


def _of_kind(kind: str, concrete: object) -> bool:
    if kind == "":
        return concrete is None or isinstance(concrete, (int, float, str, torch.dtype, torch.device))
    return type(concrete).__name__ == kind or (kind == "type" and isinstance(concrete, type))


def _sequence(abstract: Sequence, concrete: object) -> bool:
    return any(_list(part, concrete) for part in abstract.each_part())


def _list(abstract: Sequence, concrete: object) -> bool:
    if not isinstance(concrete, (list, tuple, set)):
        return abstract.kind in ("generator", "range", "list") and hasattr(concrete, "__iter__")
    exact = {"list": list, "set": set, "tuple": tuple}.get(abstract.kind)
    if exact is not None and type(concrete) is not exact:
        return False
    if abstract.items is not None:
        return _pairwise(abstract.items, concrete)
    return all(covers(abstract.element, item) for item in concrete)


def _pairwise(items: list[Value] | tuple[Value, ...], concrete: Any) -> bool:
    return len(items) == len(concrete) and all(map(covers, items, concrete))


def _dict(abstract: Dict, concrete: object) -> bool:
    return isinstance(concrete, dict) and all(
        covers(abstract.items.get(key, abstract.rest), item) for key, item in concrete.items()
    )


def _instance(abstract: Instance, concrete: object) -> bool:
    if not isinstance(concrete, Object) or concrete.cls.__name__ != abstract.cls.name:
        return False
    return all(_attribute(abstract, name, item) for name, item in concrete.attributes.items())


def _attribute(abstract: Instance, name: str, concrete: object) -> bool:
    known = abstract.get(name)
    loose = abstract.attrs.get("*")
    return (known is None and loose is None) or any(
        covers(value, concrete) for value in (known, loose) if value is not None
    )


def _external(abstract: ExternalInstance, concrete: object) -> bool:
    return type(concrete).__name__ == abstract.cls.rpartition(".")[2]


COVERS: Final[dict[type[Value], Any]] = {
    Tensor: _tensor,
    Const: _const,
    Static: lambda abstract, concrete: _of_kind(constant_kind(abstract), concrete),
    Number: lambda abstract, concrete: _of_kind(abstract.kind, concrete),
    Size: lambda _abstract, concrete: type(concrete) is int,
    Shape: lambda abstract, concrete: isinstance(concrete, torch.Size) and abstract.ndim in (None, len(concrete)),
    Array: lambda _abstract, concrete: type(concrete).__module__ == "numpy",
    Tuple: lambda abstract, concrete: type(concrete) is tuple and _pairwise(abstract.items, concrete),
    Sequence: _sequence,
    Dict: _dict,
    Instance: _instance,
    ExternalInstance: _external,
    ExternalName: lambda _abstract, concrete: callable(concrete) or isinstance(concrete, types.ModuleType),
    ClassValue: lambda abstract, concrete: isinstance(concrete, type) and concrete.__name__ == abstract.info.name,
    Function: lambda abstract, concrete: (
        isinstance(concrete, Function_types) and concrete.__name__ == abstract.info.name.rpartition(".")[2]
    ),
    Method: lambda abstract, concrete: abstract.owner is UNKNOWN or callable(concrete),
    Partial: lambda _abstract, concrete: type(concrete).__name__ == "partial",
    Super: lambda _abstract, concrete: type(concrete) is super,
}
