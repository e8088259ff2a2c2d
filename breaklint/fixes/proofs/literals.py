"""Numbers as they are written."""

from __future__ import annotations

import ast


def is_integer(node: ast.AST, number: int) -> bool:
    """Whether a node is this integer, written as one."""
    return isinstance(node, ast.Constant) and node.value == number and not isinstance(node.value, bool)
