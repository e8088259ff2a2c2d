"""What a condition of and, or, not and comparisons computes, and what Python leaves out of it."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest

SKIPPED = "every part of the condition is computed, and one that was skipped may raise or warn"


def whole_condition(request: FixRequest) -> ast.expr:
    """The outermost logical expression around the flagged operand."""
    node = request.node
    assert isinstance(node, ast.expr)
    around = request.scope.parent(node)
    while isinstance(around, ast.BoolOp) or (isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.Not)):
        node, around = around, request.scope.parent(around)
    return node


def may_skip(test: ast.expr) -> bool:
    """Whether Python leaves parts of a condition out, depending on the others."""
    return any(isinstance(part, ast.BoolOp) for part in ast.walk(test))


def may_hold_more(request: FixRequest, node: ast.expr) -> bool:
    """Whether a part of a condition is a tensor that is not known to be a single value, and so is reshaped to one."""
    if isinstance(node, ast.BoolOp):
        return any(may_hold_more(request, operand) for operand in node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return may_hold_more(request, node.operand)
    tensor = request.tensor(node)
    return tensor is not None and tensor.ndim is None
