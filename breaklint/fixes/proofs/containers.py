"""Lists and dicts that a file keeps under a name or in an attribute, and whether its code may change what they hold."""

from __future__ import annotations

import ast

from breaklint.project.module import Module
from breaklint.project.walking import children, dotted_name

READING = frozenset("copy count get index items keys values".split())
# Functions that hand nothing on of what they take, besides those of these libraries.
COMPUTING = frozenset(
    "all any bool dict enumerate float getattr hasattr int isinstance len list map max min print range repr reversed "
    "set sorted str sum super tuple type zip".split()
)
LIBRARIES = frozenset("F math nn np numpy torch".split())
READ_IN = (
    ast.BinOp,
    ast.BoolOp,
    ast.Compare,
    ast.For,
    ast.FormattedValue,
    ast.If,
    ast.IfExp,
    ast.Starred,
    ast.UnaryOp,
    ast.While,
    ast.comprehension,
)


class Changed(frozenset[str]):
    """The names, and names of attributes, whose lists and dicts code of a file may change: all that it does more with
    than read their items."""

    __slots__ = ()


def changed(module: Module) -> Changed:
    """What code of a file may change."""
    return module.derive(Changed, lambda: Changed(_changed(module.tree)))


def _changed(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    waiting: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(tree, ())]
    while waiting:
        node, around = waiting.pop()
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name and isinstance(getattr(node, "ctx", None), ast.Load) and not _is_read(node, around):
            found.add(name)
        inside = (node, *around[:3])
        waiting += [(child, inside) for child in children(node)]
    return found


def _is_read(node: ast.AST, around: tuple[ast.AST, ...]) -> bool:
    """Whether only items of a list or dict are read where it stands; `around` are the nodes around it."""
    outer = around[0] if around else None
    if isinstance(outer, ast.Subscript) and outer.value is node:
        if not isinstance(outer.ctx, ast.Load):
            return False
        item = around[1] if len(around) > 1 else None  # whose item may be stored, or be changed by a method
        return not (isinstance(item, (ast.Subscript, ast.Attribute)) and not _is_read(outer, around[1:]))
    if isinstance(outer, ast.Attribute):
        call = around[1] if len(around) > 1 else None
        called = isinstance(call, ast.Call) and call.func is outer
        return isinstance(outer.ctx, ast.Load) and (outer.attr in READING if called else True)
    if isinstance(outer, ast.keyword):
        call = around[1] if len(around) > 1 else None
        return outer.arg is None or (isinstance(call, ast.Call) and _computes(call))
    if isinstance(outer, ast.Call):
        return outer.func is node or _computes(outer)
    return isinstance(outer, READ_IN)


def _computes(call: ast.Call) -> bool:
    """Whether a call hands on nothing of its arguments: one of a builtin or of a library."""
    dotted = dotted_name(call.func) or ""
    return dotted in COMPUTING or dotted.partition(".")[0] in LIBRARIES
