"""Stores of attributes."""

from __future__ import annotations

import ast


def stores(node: ast.AST, name: str) -> bool:
    """Whether a node is a store or deletion of an attribute of this name, of any object."""
    return isinstance(node, ast.Attribute) and node.attr == name and not isinstance(node.ctx, ast.Load)
