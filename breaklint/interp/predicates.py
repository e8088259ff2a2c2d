"""Properties of all Python values that an abstract value represents."""

from __future__ import annotations

from typing import Final

from breaklint.interp.callables import ClassValue, Function, Method
from breaklint.interp.containers import Tuple
from breaklint.interp.lattice import UNKNOWN, Union, Unknown, Value
from breaklint.interp.values import (
    NONE,
    Const,
    ExternalInstance,
    Number,
    Shape,
    Size,
    Slice,
    Static,
    Tensor,
    constant_kind,
    without_none,
)

# Modules with a length, which are false if it is 0.
WITH_LENGTH: Final = frozenset(
    f"torch.nn.{name}" for name in "Sequential ModuleList ModuleDict ParameterList ParameterDict".split()
)

_STATIC: Final = frozenset({Const, Static, Size, Shape, Slice})
_WITH_TRUTH: Final = frozenset({Const, Tuple, Function, ClassValue, ExternalInstance})


def is_tensor(value: Value) -> bool:
    """Whether the value is a tensor, or a tensor or None."""
    return isinstance(value, Tensor) or (isinstance(value, Union) and isinstance(without_none(value), Tensor))


def is_static(value: Value) -> bool:
    """Whether the value does not depend on tensor data."""
    kind = type(value)
    if kind is Tensor or kind in _STATIC:
        return kind in _STATIC
    if isinstance(value, Tuple):
        return all(is_static(item) for item in value.items)
    if isinstance(value, Union):
        return all(is_static(option) for option in value.options)
    return False


def is_python_number(value: Value) -> bool:
    """Whether a value is a Python number and not a tensor."""
    return isinstance(value, (Size, Number)) or constant_kind(value) in ("int", "float", "bool")


def truth(value: Value) -> bool | None:
    """The truth of a value if it is always the same, else None."""
    if type(value) not in _WITH_TRUTH:
        return None
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Tuple):
        return bool(value.items)
    if isinstance(value, (Function, ClassValue)):
        return True
    if isinstance(value, ExternalInstance) and value.cls.startswith("torch.nn."):
        return None if value.cls in WITH_LENGTH else True
    return None


def is_none(value: Value) -> bool | None:
    """Whether a value is None; None if this is unknown."""
    if value is NONE:
        return True
    if value is UNKNOWN:
        return None
    if isinstance(value, Union):
        return None if any(is_none(option) is not False for option in value.options) else False
    if isinstance(value, Method) and isinstance(value.owner, (Unknown, ExternalInstance)):
        return None  # an attribute of anything
    if isinstance(value, Tensor) and value.assumed:
        return None
    return None if value is Static("") else False
