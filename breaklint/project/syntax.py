"""Small questions about one node: which name it is, what a call is of, what a statement assigns to."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def name_of_variable(node: ast.AST | None) -> str:
    """The name of a variable, "" for any other node."""
    return node.id if isinstance(node, ast.Name) else ""


def own_attribute(node: ast.AST | None, own: str = "self") -> str:
    """`scale` of `self.scale`, "" for any other node."""
    return node.attr if isinstance(node, ast.Attribute) and name_of_variable(node.value) == own else ""


def called_on(node: ast.AST | None) -> ast.expr | None:
    """What a method is called on, None for what is no such call."""
    return node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None


def method_name(node: ast.AST | None) -> str:
    """The name of the method that is called, "" for what is no such call."""
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def arguments(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call, those by place first."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def text_of(node: ast.AST | None) -> str | None:
    """The text that a node writes out, None for any other node."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def negated(node: ast.AST | None) -> ast.expr | None:
    """What `not` negates, None for any other node."""
    return node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else None


def assigned(node: ast.AST | None) -> list[ast.expr]:
    """What a statement, or `:=`, assigns its value to; none for what assigns none."""
    if isinstance(node, ast.Assign):
        return node.targets
    one = isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None
    return [node.target] if one else []  # type: ignore[union-attr]


def leaves(test: ast.expr) -> Iterator[ast.expr]:
    """The parts of a condition that `and`, `or` and `not` put together, which are asked for their truth."""
    inside = test.values if isinstance(test, ast.BoolOp) else [item for item in [negated(test)] if item is not None]
    for part in inside:
        yield from leaves(part)
    if not inside:
        yield test


def first_name(node: ast.AST) -> str:
    """The name that a chain of attributes, items and calls begins with."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return name_of_variable(node)
