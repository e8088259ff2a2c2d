"""Conditions of and, or, not and comparisons: the operands that Python may skip, and the same condition as a tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.logging.log_calls import is_of_data
from breaklint.project.syntax import leaves, negated


def whole_condition(request: FixRequest) -> ast.expr:
    """The outermost logical expression around the flagged operand."""
    node = request.node
    assert isinstance(node, ast.expr)
    around = request.scope.parent(node)
    while isinstance(around, ast.expr) and (isinstance(around, ast.BoolOp) or negated(around) is not None):
        node, around = around, request.scope.parent(around)
    return node


def breaking_branch(request: FixRequest, changed: Iterable[ast.AST]) -> ast.If | None:
    """The branch around a finding that data decides: it breaks the graph unless its condition is `changed`."""
    changed_nodes = set(changed)
    inside: ast.AST = request.node
    for around in request.scope.parents(request.node):
        if isinstance(around, ast.If):
            changes = inside is around.test or not changed_nodes.isdisjoint({around, around.test})
            if not changes and is_of_data(request, around.test):
                return around
        inside = around
    return None


class Split(NamedTuple):
    """A condition in two parts: `if all(static):` around `if decided:` is equivalent.

    `static` are operands that convert no tensor, `decided` is the rest.
    """

    static: list[ast.expr]
    decided: ast.expr


def split(request: FixRequest, test: ast.expr) -> Split:
    """Split the operands of `a and b` into those that convert a tensor to a bool, and the others.

    Raises NotFixable if operands with possible side effects would be computed in another order.
    """
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return Split([], test)
    asks_tensor = [_asks_tensor(request, operand) for operand in test.values]
    if all(asks_tensor) or not any(asks_tensor):
        return Split([], test)
    first = asks_tensor.index(True)
    is_reordered = not all(asks_tensor[first:])
    if is_reordered and not all(is_pure(request, operand) for operand in test.values[first:]):
        raise NotFixable("an operand may do more than give a value, and would be computed before another")
    static = [operand for operand, asks in zip(test.values, asks_tensor, strict=True) if not asks]
    decided = [operand for operand, asks in zip(test.values, asks_tensor, strict=True) if asks]
    condition = decided[0] if len(decided) == 1 else ast.copy_location(ast.BoolOp(ast.And(), decided), decided[0])
    return Split(static, condition)


def _asks_tensor(request: FixRequest, node: ast.expr) -> bool:
    return any(request.tensor(part) is not None for part in leaves(node))


def as_tensor(request: FixRequest, node: ast.expr) -> str:
    """The source of a condition as a bool tensor of one element; raises NotFixable if it is not known to be one."""
    torch, _ = request.name_of("torch")
    if isinstance(node, ast.BoolOp):
        name = "logical_and" if isinstance(node.op, ast.And) else "logical_or"
        if not all(is_pure(request, operand) for operand in node.values[1:]):
            raise NotFixable("an operand may do more than give a value, and all of them would be computed")
        text = as_tensor(request, node.values[0])
        for operand in node.values[1:]:
            text = f"{torch}.{name}({text}, {as_tensor(request, operand)})"
        return text
    if (inner := negated(node)) is not None:
        return f"{torch}.logical_not({as_tensor(request, inner)})"
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        raise NotFixable("the condition is a chained comparison")
    return _single(request, node)


def _single(request: FixRequest, node: ast.expr) -> str:
    tensor = request.tensor(node)
    if tensor is None:
        raise request.not_a_tensor(node)
    if tensor.ndim not in (0, None):
        raise NotFixable(f"the condition `{request.text(node)}` has dimensions, and may hold more than a single value")
    return request.code(node) if tensor.dtype == "bool" else f"{request.operand(node)} != 0"
