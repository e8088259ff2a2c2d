"""Arithmetic and comparison on abstract values."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from breaklint.interp.containers import MAX_ITEMS, Sequence, Tuple
from breaklint.interp.events import Arithmetic, ArithmeticNode
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Union, Unknown, Value, join_all, options
from breaklint.interp.models import constants, ranks
from breaklint.interp.models.torch_names import POINTER
from breaklint.interp.objects import Instance
from breaklint.interp.predicates import is_static
from breaklint.interp.transfer import object_access
from breaklint.interp.values import (
    SIZE,
    Array,
    Const,
    ExternalInstance,
    Number,
    Size,
    Static,
    Tensor,
    constant_kind,
    python_kind,
    without_none,
)

LARGEST: Final = 10**9
_PATHS: Final = (ExternalInstance("pathlib.Path"), ExternalInstance("pathlib.PurePath"))
FOLDED: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
ONE: Final[dict[type[ast.unaryop], Callable[[Any], Any]]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip
# Bases of classes whose objects are numbers or tensors.
NUMBERS: Final = frozenset({"int", "float", "IntEnum", "IntFlag", "Tensor"})
BITWISE: Final = (ast.BitAnd, ast.BitOr, ast.BitXor)
# Classes of dtypes in the order of promotion by torch.result_type.
RANK: Final = {"bool": 0, "int": 1, "float": 2, "complex": 3}


def computes_in_python(left: Value, right: Value) -> bool:
    """Whether both are Python numbers, and Dynamo holds one of them as a tensor."""
    if type(left) is not Number and type(right) is not Number:
        return False
    symbolic = any(isinstance(value, Number) and value.symbolic for value in (left, right))
    return symbolic and all(isinstance(value, (Number, Size)) or is_static(value) for value in (left, right))


def operate_on_one(value: Value, op: ast.unaryop) -> Value:
    """The value of `-value`, `+value` or `~value`."""
    if isinstance(value, Const) and isinstance(value.value, (int, float)):
        try:
            return Const(ONE[type(op)](value.value))
        except TypeError:
            return UNKNOWN
    if constant_kind(value) == "bool":
        return Static("int")
    return Number("int", value.symbolic) if isinstance(value, Number) and value.kind == "bool" else value


def operate(left: Value, right: Value, op: ast.operator) -> Value:
    """The value of `left op right`."""
    if op.__class__ is ast.BitOr and Const(True) in (left, right):
        return Const(True)  # `tracing |= ...`
    sides = (type(left), type(right))
    if Union in sides:
        pairs = [(a, b) for a in options(without_none(left)) for b in options(without_none(right))]
        return join_all([operate(a, b, op) for a, b in pairs]) or UNKNOWN
    if Unknown in sides or (Array in sides and any(isinstance(one, Tensor) and one.assumed for one in (left, right))):
        return _with_unknown(left if isinstance(left, Array) or isinstance(right, Unknown) else right)
    if Tensor in sides:
        return _tensor_result(left, right, op)
    if Array in sides:
        ndims = [v.ndim if isinstance(v, Array) else 0 for v in (left, right)]
        folded = all(v.python_scalar if isinstance(v, Array) else is_static(v) for v in (left, right))
        return Array(_promote(left, right, op), None if None in ndims else max(n or 0 for n in ndims), folded)
    if left in _PATHS and isinstance(op, ast.Div):
        return left
    if Sequence in sides or Tuple in sides:
        return _concatenate(left, right)
    if Number in sides:
        symbolic = any(isinstance(value, Number) and value.symbolic for value in (left, right))
        kind = "float" if isinstance(op, ast.Div) else _promote(left, right, op)
        return Number("int" if kind == "bool" and not isinstance(op, BITWISE) else kind, symbolic)
    if isinstance(left, Const) and isinstance(right, Const):
        return _fold(left, right, op)
    kinds = {constant_kind(left), constant_kind(right)}
    if Size in sides:
        return Static("float") if isinstance(op, ast.Div) or "float" in kinds else SIZE
    if not (is_static(left) and is_static(right)):
        return UNKNOWN
    return _of_kinds(kinds, right, op)


def _with_unknown(other: Value) -> Value:
    """The result for a value and an unknown one: a tensor or an array determines most results."""
    if isinstance(other, Tensor) and not other.assumed:
        return Tensor()
    if isinstance(other, Array) and not other.python_scalar:
        return join_all([Array(), Tensor()]) or UNKNOWN  # with a tensor, an array becomes one
    return UNKNOWN


def _of_kinds(kinds: set[str], right: Value, op: ast.operator) -> Value:
    """The result of a Python operator for two values of these kinds."""
    if "" in kinds:
        return Static("")
    if isinstance(op, BITWISE) and kinds == {"bool"}:
        return Static("bool")
    if isinstance(op, ast.Pow) and kinds <= {"int", "bool"} and not (isinstance(right, Const) and right.value >= 0):
        return Static("")  # a float for a negative exponent
    return Static("float" if "float" in kinds or isinstance(op, ast.Div) else "str" if "str" in kinds else "int")


def _tensor_result(left: Value, right: Value, op: ast.operator) -> Value:
    tensors = [value for value in (left, right) if isinstance(value, Tensor)]
    ndims = [value.ndim for value in tensors]
    ndim = None if None in ndims else max(n or 0 for n in ndims)
    others = [value for value in (left, right) if not isinstance(value, Tensor)]
    assumed = all(value.assumed for value in tensors)
    if any(isinstance(value, Array) for value in others):
        ndim = None
    role = "sparse" if all(value.role == "sparse" for value in tensors) else ""
    if isinstance(op, ast.MatMult):
        ndim = ranks.matmul(ndims[0], ndims[1]) if len(ndims) == 2 else None
    value = Tensor(_promote(left, right, op), ndim, assumed, role)
    return constants.computed(value, (left, right))


def _promote(left: Value, right: Value, op: ast.operator) -> str:
    kinds = [value.dtype if isinstance(value, (Tensor, Array)) else _kind(value) for value in (left, right)]
    if "" in kinds:
        return "float" if "float" in kinds else ""
    kind = max(kinds, key=lambda k: RANK.get(k, 1))
    if isinstance(op, ast.Div) and kind in ("bool", "int"):
        return "float"
    return kind


def _kind(value: Value) -> str:
    kind = python_kind(value)
    return kind if kind in RANK else ""


def _concatenate(left: Value, right: Value) -> Value:
    if isinstance(left, Tuple) and isinstance(right, Tuple) and len(left.items) + len(right.items) <= MAX_ITEMS:
        return Tuple(left.items + right.items)
    rows = [value for value in (left, right) if isinstance(value, (Sequence, Tuple))]
    parts = [element_of(value) for value in rows]
    kind = rows[0].kind if isinstance(rows[0], Sequence) else "tuple"
    elements = [part for part in parts if part is not None]
    return Sequence(join_all(elements), kind=kind)


def _fold(left: Const, right: Const, op: ast.operator) -> Value:
    function = FOLDED.get(type(op))
    numbers = all(isinstance(c.value, (int, float)) and abs(c.value) < LARGEST for c in (left, right))
    if function and numbers:
        try:
            return Const(function(left.value, right.value))
        except ArithmeticError:
            return Static("")
    return _of_kinds({constant_kind(left), constant_kind(right)}, right, op)


_POINTER: Final = ExternalInstance(POINTER)


def emit_address_use(frame: Frame, node: ast.expr, left: Value, right: Value) -> None:
    """Emit the use of a tensor's address in arithmetic or a comparison. Each comparison breaks the graph; after
    arithmetic Dynamo does not trace the function."""
    if left is _POINTER or right is _POINTER:
        object_access.emit_access(frame, node, _POINTER, again=isinstance(node, ast.Compare))


def emit_arithmetic(frame: Frame, node: ArithmeticNode, has_object: bool = False) -> None:
    """Emit arithmetic in Python with a number that Dynamo holds as a tensor, or of an object with a tensor."""
    if frame.context.traced:
        earlier = object_access.mark(frame, "operator" if has_object else "arithmetic")
        frame.emit(Arithmetic(node, frame, earlier, has_object))


def emit_operator(frame: Frame, node: ArithmeticNode, left: Value, right: Value) -> None:
    """Emit an operator between an object of the project and a tensor, which Dynamo traces as an operator of torch."""
    for value, other in ((left, right), (right, left)):
        if not isinstance(value, Instance) or not isinstance(other, Tensor) or other.assumed:
            continue
        project = frame.interp.project
        is_number = any(base.rpartition(".")[2] in NUMBERS for base in project.external_bases(value.cls))
        if not is_number and project.method(value.cls, "__torch_function__") is None:
            emit_arithmetic(frame, node, has_object=True)
