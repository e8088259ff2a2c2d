"""Which expressions are sizes of tensors: integers that are not negative, and rows of them."""

from __future__ import annotations

import ast

from breaklint.analysis.literals import integer
from breaklint.analysis.model import FunctionModel
from breaklint.interp.values import Const, Shape, Size
from breaklint.project.syntax import called_on, method_name

# Methods that count dimensions, elements or bytes; the facts say of others, too, that they give integers.
COUNTS = frozenset({"dim", "ndimension", "numel", "nelement", "element_size"})
LARGEST = 2**15  # of a constant that counts as a size: more elements than memory holds raise in other words


def is_of_one_shape(model: FunctionModel, node: ast.expr) -> bool:
    """Whether a row holds the sizes of one tensor, some or all of them."""
    if (copied := model.matched(node, "list({row})", "tuple({row})")) is not None:
        return is_of_one_shape(model, copied["row"])
    if not isinstance(model.value(node), Shape):
        return False
    if (of := model.matched(node, "{x}.shape", "{x}.size()")) is not None:
        return model.tensor(of["x"]) is not None
    if isinstance(node, ast.Subscript):
        step = node.slice.step if isinstance(node.slice, ast.Slice) else None
        # What is left out by a step may be the one size of 0 that keeps the others from a product of memory.
        return (step is None or integer(step) == -1) and is_of_one_shape(model, node.value)
    made = model.definition(node.id, node).value if isinstance(node, ast.Name) else None
    return made is not None and is_of_one_shape(model, made)


def is_dimension(model: FunctionModel, node: ast.expr) -> bool:
    """Whether an expression is one dimension of a tensor, as `x.shape[0]`, `x.size(0)` and `len(x)` give it."""
    if not isinstance(model.value(node), Size):
        return False
    if isinstance(node, ast.Subscript):
        return isinstance(model.value(node.value), Shape) and is_of_one_shape(model, node.value)
    if isinstance(node, ast.Name):
        made = model.definition(node.id, node)
        if made.value is not None:
            return is_dimension(model, made.value)
        unpacked = made.statement.value if isinstance(made.statement, ast.Assign) else None
        return unpacked is not None and is_of_one_shape(model, unpacked)
    is_length = isinstance(node, ast.Call) and model.qualified(node.func) == "builtins.len"
    return is_length or method_name(node) in ("size", "dim")


def is_count(model: FunctionModel, node: ast.expr) -> bool:
    """Whether an expression is an integer that is not negative: a small constant, a dimension, what tensors count."""
    value = model.value(node)
    if isinstance(value, Const):
        return type(value.value) is int and 0 <= value.value < LARGEST
    if isinstance(node, ast.Attribute):
        return node.attr == "ndim" and model.tensor(node.value) is not None
    if method_name(node) in COUNTS and (tensor := called_on(node)) is not None:
        return model.tensor(tensor) is not None
    return is_dimension(model, node)
