"""Whether a value needs a gradient."""

from __future__ import annotations

import ast

from breaklint.analysis.alias import LIKE_ANOTHER, is_fresh
from breaklint.analysis.model import FunctionModel
from breaklint.analysis.mutation import is_unchanged
from breaklint.analysis.purity import is_pure
from breaklint.analysis.shapes import operation
from breaklint.interp.values import Const, Shape, Size, Static, Tensor


def needs_no_gradient(model: FunctionModel, node: ast.expr, at: ast.AST) -> bool:
    """Whether a value is not a tensor, or certainly has no gradient at a node: none of its operands has one."""
    value = model.value(node)
    if isinstance(value, (Const, Static, Size, Shape)):
        return True
    if isinstance(value, Tensor) and not value.assumed and value.dtype in ("bool", "int"):
        return True
    if isinstance(node, ast.Name):
        result = model.definition(node.id, node).statement
        plain = isinstance(result, ast.Assign) and needs_no_gradient(model, result.value, at)
        return plain and is_unchanged(model, node.id, at)
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Tuple, ast.List)):
        parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        return all(needs_no_gradient(model, part, at) for part in parts)
    return isinstance(node, ast.Call) and _called_without_gradient(model, node, at)


def _called_without_gradient(model: FunctionModel, call: ast.Call, at: ast.AST) -> bool:
    if is_fresh(model, call):
        return True
    split = operation(model, call)
    asks = any(keyword.arg in ("requires_grad", None) for keyword in call.keywords)
    if split is None or asks or not is_pure(model, call):
        return False
    computed_with = split[1][:1] if split[0] in LIKE_ANOTHER else split[1]
    operands = [*computed_with, *(keyword.value for keyword in call.keywords)]
    return all(needs_no_gradient(model, part, at) for part in operands)
