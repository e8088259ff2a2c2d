"""Attributes of a class: their stores, and the constructor that creates them."""

from __future__ import annotations

import ast

from breaklint.project.module import ClassInfo


def stores(node: ast.AST, name: str) -> bool:
    """Whether a node is a store or deletion of an attribute of this name, of any object."""
    return isinstance(node, ast.Attribute) and node.attr == name and not isinstance(node.ctx, ast.Load)


def constructor(cls: ClassInfo) -> ast.FunctionDef | None:
    """The `__init__` that a class has itself."""
    method = cls.methods.get("__init__")
    return method.node if method is not None and isinstance(method.node, ast.FunctionDef) else None
