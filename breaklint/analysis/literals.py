"""Whether two pieces of code are written alike."""

from __future__ import annotations

import ast


def same_code(first: object, second: object) -> bool:
    """Whether two nodes have the same source form, regardless of loads and stores."""
    if isinstance(first, ast.AST) and first.__class__ is second.__class__:
        fields = (name for name in first._fields if name not in ("ctx", "type_comment", "kind"))
        return all(same_code(getattr(first, name, None), getattr(second, name, None)) for name in fields)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(same_code, first, second))
    return type(first) is type(second) and repr(first) == repr(second)  # 0.0 is not -0.0
