"""Small queries about one node: its name, the callee of a call, the targets of a statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def begin_of(node: ast.expr | ast.stmt | ast.alias | ast.ExceptHandler | ast.pattern) -> tuple[int, int]:
    """The row and the column, in bytes, at which a node begins."""
    return node.lineno, node.col_offset


def name_of_variable(node: ast.AST | None) -> str:
    """The name of a variable, "" for any other node."""
    return node.id if isinstance(node, ast.Name) else ""


def own_attribute(node: ast.AST | None, own: str = "self") -> str:
    """`scale` of `self.scale`, "" for any other node."""
    return node.attr if isinstance(node, ast.Attribute) and name_of_variable(node.value) == own else ""


def stores(node: ast.AST, name: str) -> bool:
    """Whether a node is a store or deletion of an attribute of this name, of any object."""
    return isinstance(node, ast.Attribute) and node.attr == name and not isinstance(node.ctx, ast.Load)


def keyword_of(node: ast.AST, name: str) -> ast.expr | None:
    """The value of a keyword of a call or a class; None if it is missing, and for any other node."""
    keywords: list[ast.keyword] = getattr(node, "keywords", [])
    return next((word.value for word in keywords if word.arg == name), None)


def is_literal(node: ast.AST | None, value: bool | None) -> bool:
    """Whether a node is the constant True, False or None."""
    return isinstance(node, ast.Constant) and node.value is value


def called_on(node: ast.AST | None) -> ast.expr | None:
    """The receiver of a method call, None for any other node."""
    return node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None


def method_name(node: ast.AST | None) -> str:
    """The name of a called method, "" for any other node."""
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def arguments(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call, positional ones first."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def text_of(node: ast.AST | None) -> str | None:
    """The value of a string literal, None for any other node."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def negated(node: ast.AST | None) -> ast.expr | None:
    """The operand of `not`, None for any other node."""
    return node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else None


def assigned(node: ast.AST | None) -> list[ast.expr]:
    """The targets of a statement or of `:=`; none for other nodes."""
    if isinstance(node, ast.Assign):
        return node.targets
    one = isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None
    return [node.target] if one else []  # type: ignore[union-attr]


def leaves(test: ast.expr) -> Iterator[ast.expr]:
    """The operands of `and`, `or` and `not` in a condition, whose truth is tested."""
    inside = test.values if isinstance(test, ast.BoolOp) else [item for item in [negated(test)] if item is not None]
    for part in inside:
        yield from leaves(part)
    if not inside:
        yield test


def first_name(node: ast.AST) -> str:
    """The first name of a chain of attributes, items and calls."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return name_of_variable(node)
