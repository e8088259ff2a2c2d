"""Code as it is written: integers, and whether two pieces are alike."""

from __future__ import annotations

import ast


def integer(node: ast.AST | None) -> int | None:
    """The integer that a node writes out, with a sign or without; None for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = integer(node.operand)
        return -number if number else None
    plain = isinstance(node, ast.Constant) and type(node.value) is int
    return node.value if plain and isinstance(node, ast.Constant) else None  # type: ignore[return-value]


def is_all(node: ast.AST) -> bool:
    """Whether an index is `:`."""
    return isinstance(node, ast.Slice) and node.lower is node.upper is node.step is None


def same_code(first: object, second: object) -> bool:
    """Whether two nodes are written alike, whatever is stored or read."""
    if isinstance(first, ast.AST) and first.__class__ is second.__class__:
        fields = (name for name in first._fields if name not in ("ctx", "type_comment", "kind"))
        return all(same_code(getattr(first, name, None), getattr(second, name, None)) for name in fields)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(same_code, first, second))
    return type(first) is type(second) and repr(first) == repr(second)  # 0.0 is not -0.0
