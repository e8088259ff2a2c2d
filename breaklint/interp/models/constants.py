"""0-dim tensors that Dynamo infers: `torch.tensor(3)`, and results of operators on such tensors only.

An operator that takes an integer reads them without a graph break. Dynamo's own reads still break: `.item()`, `int(t)`,
a slice bound, `range(t)`, an index of a list, a test. A number computed from a size counts as a constant, although it
breaks the graph at the second size.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.predicates import is_static
from breaklint.interp.values import CONSTANT, Const, ExternalName, Size, Static, Tensor, constant_kind
from breaklint.torchops.facts import Facts

# The measured call of these converts nothing, or changes integers.
CASTS: Final = frozenset({"bool", "type", "type_as"})
# Types of Python.
NUMBERS: Final = frozenset({"bool", "int", "float"})


def from_numbers(value: Tensor, data: Value | None) -> Tensor:
    """The tensor of `torch.tensor(data)`, marked if `data` is a known number or an unknown value."""
    items = data.items if isinstance(data, (Tuple, Sequence)) else None
    if items is not None and len(items) == 1:
        data = items[0]
    is_number = isinstance(data, (Const, Static, Size)) and (isinstance(data, Size) or constant_kind(data) in NUMBERS)
    return _mark(value) if is_number or data is UNKNOWN or is_constant(data) else value


def of_operator(facts: Facts, name: str, value: Value, inputs: Iterable[Value]) -> Value:
    """The result of an operator on `inputs`, marked if all of these are known numbers."""
    operator = name in CASTS or facts.keeps_values(name) or (facts.is_pointwise(name) and not facts.is_random(name))
    return computed(value, inputs) if operator else value


def computed(value: Value, inputs: Iterable[Value]) -> Value:
    """The result of pointwise arithmetic on `inputs`, marked if all of these are known numbers."""
    if not isinstance(value, Tensor) or value.ndim or value.role:
        return value
    values = list(inputs)
    tensors = [item for item in values if isinstance(item, Tensor)]
    others = [item for item in values if not isinstance(item, (Tensor, ExternalName))]  # `torch.long`
    is_number = tensors and all(map(is_constant, tensors)) and all(map(is_static, others))
    return _mark(value) if is_number else value


def is_constant(value: Value | None) -> bool:
    """Whether a value is a 0-dim tensor whose value Dynamo infers."""
    return isinstance(value, Tensor) and value.role == CONSTANT


def stored(value: Value) -> Value:
    """The value after a store in an object, from which Dynamo reads it as an ordinary tensor."""
    return Tensor(value.dtype, value.ndim, value.assumed) if isinstance(value, Tensor) and is_constant(value) else value


def _mark(value: Tensor) -> Tensor:
    return Tensor(value.dtype, value.ndim, value.assumed, CONSTANT)
