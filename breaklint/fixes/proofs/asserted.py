"""Shapes that the code asserts to be equal: `assert a.shape == b.shape`."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest

Origin = tuple[str, int]


def asserted_shape(request: FixRequest, origin: Origin) -> Origin:
    """The first of the values that are asserted to have the shape (or the number of dimensions) of this one.

    Equal dimensions are enough where a mask indexes the tensor: indexing raises unless their sizes are equal too.
    """
    if not request.trusts_asserts:
        return origin
    root = request.scope.root
    for statement in getattr(root, "body", ()):
        if isinstance(statement, ast.Assert):
            sides = _compared(statement.test)
            if sides is not None:
                first, second = ((side.id, id(request.scope.definition(side.id, side).statement)) for side in sides)
                origin = first if origin == second else origin
    return origin


def _compared(test: ast.expr) -> tuple[ast.Name, ast.Name] | None:
    """The names `a` and `b` of `a.shape == b.shape`, `a.size() == b.size()`, `a.dim() == b.dim()`."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
        return None
    left, right = (_measured(side) for side in (test.left, test.comparators[0]))
    return (left[0], right[0]) if left and right and left[1] == right[1] else None


def _measured(node: ast.expr) -> tuple[ast.Name, str] | None:
    if isinstance(node, ast.Call) and not node.args and not node.keywords:
        node = node.func
    measured = isinstance(node, ast.Attribute) and node.attr in ("shape", "size", "dim", "ndim")
    if measured and isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.value, node.attr
    return None
