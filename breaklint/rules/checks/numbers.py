"""Python numbers that are read from tensors and arrays."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.events import Arithmetic, Call, Format
from breaklint.interp.lattice import Value
from breaklint.interp.predicates import is_python_number
from breaklint.interp.values import CONSTANT, Array, Number, without_none
from breaklint.rules.base import Check, Hit
from breaklint.rules.checks.arguments import NEEDS_CAPTURED
from breaklint.rules.operator_parameters import needs_captured
from breaklint.rules.value_kinds import certain_tensor
from breaklint.torchops.tables import read_table

# Builtins.
NUMBERS: Final = frozenset({"builtins.float", "builtins.int", "builtins.bool", "builtins.complex"})
TRUTHS: Final = NUMBERS | {"operator.truth", "operator.not_", "operator.index"}
# No schema: functions of Python without a tensor operator in Dynamo, so that they read the number.
READING: Final = frozenset(
    f"math.{name}" for name in ("ceil", "floor", "isclose", "isfinite", "isinf", "isnan", "trunc")
)


class NumberOfTensor(Check):
    """`float(t)`, `int(t)`, `bool(t)`, `complex(t)`, `math.exp(t)`, which takes a float, and uses of a number that
    `fullgraph=True` keeps in the graph."""

    def applies_to(self, target: str, method: str) -> bool:
        return target in TRUTHS or (target or f"int.{method}") in read_table()["numbers"]

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if needs_captured(call) and call.target != "builtins.range":
            yield Hit(call.node, NEEDS_CAPTURED)
        tensor = certain_tensor(call.args[0]) if call.args else None
        in_math = call.target.startswith("math.")
        if tensor is not None and (call.target in TRUTHS or (in_math and tensor.role != CONSTANT)):
            yield Hit(call.node)

    def visit_format(self, text: Format) -> Iterator[Hit]:
        if text.how == "%" and _holds_tensor(text.value):
            yield Hit(text.node)


class NumberOfArray(Check):
    """`int(np.prod(shape))`, `math.ceil(array)`, `array.item()`: NumPy scalars are tensors to Dynamo."""

    methods = frozenset({"item"})

    def applies_to(self, target: str, method: str) -> bool:
        return _takes_a_number(target) or method in self.methods

    def visit_call(self, call: Call) -> Iterator[Hit]:
        first = without_none(call.args[0]) if call.args else None
        converts = isinstance(first, Array) and (
            call.target in READING or (_takes_a_number(call.target) and not first.python_scalar)
        )
        reads = call.method in self.methods and isinstance(call.owner, Array)
        if (converts or reads) and not _is_held_number(call, call.owner if reads else first):
            yield Hit(call.node)


def _is_held_number(call: Call, value: Value | None) -> bool:
    """Whether a NumPy number comes from an attribute: an integer or a float64 is a constant to Dynamo."""
    node = call.node.args[0] if isinstance(call.node, ast.Call) and call.node.args else None
    if call.method and isinstance(call.node, ast.Call) and isinstance(call.node.func, ast.Attribute):
        node = call.node.func.value
    if not (isinstance(node, ast.Attribute) and isinstance(value, Array)):
        return False
    is_integer = call.target == "builtins.int" and value.dtype in ("int", "")
    return is_integer or (value.ndim == 0 and call.target != "builtins.bool")


class ArrayOfLists(Check):
    """`np.array([[a, b], [c, d]])` with a tensor or array in it, and `np.array([a, 1.0])`."""

    makers = frozenset({"numpy.array", "numpy.asarray"})

    def applies_to(self, target: str, method: str) -> bool:
        return target in self.makers

    def visit_call(self, call: Call) -> Iterator[Hit]:
        rows = call.args[0] if call.args else None
        items = (isinstance(rows, (Tuple, Sequence)) and rows.items) or ()
        nested = any(isinstance(item, (Tuple, Sequence)) and _holds_tensor(item) for item in items)
        if nested or (any(map(_is_tensor, items)) and any(map(is_python_number, items))):
            yield Hit(call.node)


def _holds_tensor(value: Value) -> bool:
    if isinstance(value, (Tuple, Sequence)):
        return any(map(_holds_tensor, value.items or ()))
    return _is_tensor(value)


def _is_tensor(value: Value) -> bool:
    return isinstance(value, Array) or certain_tensor(value) is not None


def _takes_a_number(target: str) -> bool:
    return target in NUMBERS or target == "builtins.range" or target.startswith("math.")


class RandomArithmetic(Check):
    """Arithmetic in Python with a number that `random.uniform` or `random.randint` drew: Dynamo holds it as a tensor.

    Dynamo skips the function at the first such place.
    """

    conversions = (NUMBERS | {"builtins.round", "builtins.str", "builtins.divmod", "random.Random"}) - {
        "builtins.complex"
    }

    def applies_to(self, target: str, method: str) -> bool:
        return target in self.conversions

    def visit_call(self, call: Call) -> Iterator[Hit]:
        first = call.args[0] if call.args else None
        if isinstance(first, Number) and first.symbolic:
            yield Hit(call.node)

    def visit_arithmetic(self, arithmetic: Arithmetic) -> Iterator[Hit]:
        if not arithmetic.earlier and not arithmetic.has_object:
            yield Hit(arithmetic.node)
