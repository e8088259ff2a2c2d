"""Lists and dicts that a file keeps under a name or in an attribute, and whether its code may change what they hold."""

from __future__ import annotations

import ast

from breaklint.fixes.proofs.reading import CHANGERS, READERS, computes, only_reads
from breaklint.project.module import Module
from breaklint.project.walking import children, dotted_name, has_row, rows_with

LIBRARIES = frozenset("F math nn np numpy torch".split())  # whose functions hand nothing on of what they take


class Changed(dict[str, bool]):
    """Which names, and names of attributes, have lists and dicts that code of a file may change: it does more with them
    than read their items. Only the rows with a name that is asked for are looked at."""

    def __init__(self, module: Module) -> None:
        self._module = module

    def __missing__(self, name: str) -> bool:
        self[name] = found = _changes(self._module, name)
        return found


def may_change(module: Module, name: str) -> bool:
    """Whether code of a file may change a list or dict of this name."""
    return module.derive(Changed, lambda: Changed(module))[name]


def _changes(module: Module, name: str) -> bool:
    rows = rows_with(module.text, [name])
    waiting: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(module.tree, ())] if rows else []
    while waiting:
        node, around = waiting.pop()
        own = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if own == name and isinstance(getattr(node, "ctx", None), ast.Load) and not _is_read(node, around):
            return True
        inside = (node, *around[:3])
        below = (child for child in children(node) if not isinstance(child, ast.stmt) or has_row(child, rows))
        waiting += [(child, inside) for child in below]
    return False


def _is_read(node: ast.AST, around: tuple[ast.AST, ...]) -> bool:
    """Whether only items of a list or dict are read where it stands; `around` are the nodes around it."""
    outer, beyond = (*around, None, None)[:2]
    if isinstance(outer, ast.Subscript) and outer.value is node:
        if not isinstance(outer.ctx, ast.Load):
            return False
        # Its item may be stored, or be changed by a method.
        return not (isinstance(beyond, (ast.Subscript, ast.Attribute)) and not _is_read(outer, around[1:]))
    if isinstance(outer, ast.Attribute):
        called = isinstance(beyond, ast.Call) and beyond.func is outer
        return isinstance(outer.ctx, ast.Load) and (outer.attr in READERS if called else outer.attr not in CHANGERS)
    if isinstance(outer, ast.keyword):
        return outer.arg is None or (isinstance(beyond, ast.Call) and (computes(beyond) or _is_of_library(beyond)))
    if isinstance(outer, (ast.BoolOp, ast.IfExp)) and not only_reads(outer, node):
        return _is_read(outer, around[1:])  # it may be what comes of it
    return outer is not None and (only_reads(outer, node) or (isinstance(outer, ast.Call) and _is_of_library(outer)))


def _is_of_library(call: ast.Call) -> bool:
    return (dotted_name(call.func) or "").partition(".")[0] in LIBRARIES
