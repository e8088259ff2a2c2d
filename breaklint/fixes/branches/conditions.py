"""What a condition of and, or, not and comparisons computes, and what Python leaves out of it."""

from __future__ import annotations

import ast
from typing import NamedTuple

from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.project.walking import walk

SKIPPED = "every part of the condition is computed, and one that was skipped may raise or warn"


def whole_condition(request: FixRequest) -> ast.expr:
    """The outermost logical expression around the flagged operand."""
    node = request.node
    assert isinstance(node, ast.expr)
    around = request.scope.parent(node)
    while isinstance(around, ast.BoolOp) or (isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.Not)):
        node, around = around, request.scope.parent(around)
    return node


def branch_of(request: FixRequest) -> ast.If | None:
    """The `if` that the condition around the flagged operand decides."""
    test = whole_condition(request) if isinstance(request.node, ast.expr) else None
    around = request.scope.parent(test) if test is not None else None
    return around if isinstance(around, ast.If) and around.test is test else None


class Split(NamedTuple):
    """A condition in two parts: `if all(static):` around `if decided:` does what it does.

    `static` are operands that ask no tensor, `decided` is what is left; `reordered` tells that a static operand stood
    behind one that asks a tensor.
    """

    static: list[ast.expr]
    decided: ast.expr
    reordered: bool = False


def split(request: FixRequest, test: ast.expr) -> Split:
    """Take the operands of `a and b` apart into those that ask a tensor for its truth, and those that do not.

    Raises NotFixable where operands would be computed in another order and may do more than give a value.
    """
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return Split([], test)
    asked = [_asks_tensor(request, operand) for operand in test.values]
    if all(asked) or not any(asked):
        return Split([], test)
    first = asked.index(True)
    reordered = not all(asked[first:])
    if reordered and not all(is_pure(request, operand) for operand in test.values[first:]):
        raise NotFixable("an operand may do more than give a value, and would be computed before another")
    static = [operand for operand, asks in zip(test.values, asked, strict=True) if not asks]
    decided = [operand for operand, asks in zip(test.values, asked, strict=True) if asks]
    left = decided[0] if len(decided) == 1 else ast.copy_location(ast.BoolOp(ast.And(), decided), decided[0])
    return Split(static, left, reordered)


def _asks_tensor(request: FixRequest, node: ast.expr) -> bool:
    if isinstance(node, ast.BoolOp):
        return any(_asks_tensor(request, operand) for operand in node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _asks_tensor(request, node.operand)
    return request.tensor(node) is not None


def may_skip(test: ast.expr) -> bool:
    """Whether Python leaves parts of a condition out, depending on the others."""
    return any(isinstance(part, ast.BoolOp) for part in walk(test))


def may_hold_more(request: FixRequest, node: ast.expr) -> bool:
    """Whether a part of a condition is a tensor that is not known to be a single value, and so is reshaped to one."""
    if isinstance(node, ast.BoolOp):
        return any(may_hold_more(request, operand) for operand in node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return may_hold_more(request, node.operand)
    tensor = request.tensor(node)
    return tensor is not None and tensor.ndim is None
