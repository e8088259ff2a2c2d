"""Lists and dicts that a file keeps under a name or in an attribute, and whether its code may change what they hold."""

from __future__ import annotations

import ast

from breaklint.analysis.reading import CHANGERS, READERS, computes, only_reads
from breaklint.project.walking import children, dotted_name

# What the libraries are usually imported as: no text of a file is resolved here.
LIBRARIES = frozenset("F math nn np numpy torch".split())  # whose functions hand nothing on of what they take


def changed_names(tree: ast.Module) -> frozenset[str]:
    """All names, and names of attributes, with lists and dicts that code of a file may change."""
    found = set[str]()
    waiting: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(tree, ())]
    while waiting:
        node, around = waiting.pop()
        own = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if own and own not in found and isinstance(getattr(node, "ctx", None), ast.Load) and not _is_read(node, around):
            found.add(own)
        inside = (node, *around[:3])
        waiting += [(child, inside) for child in children(node)]
    return frozenset(found)


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
        return outer.arg is None or (isinstance(beyond, ast.Call) and (computes(beyond) or is_of_library(beyond)))
    if isinstance(outer, (ast.BoolOp, ast.IfExp)) and not only_reads(outer, node):
        return _is_read(outer, around[1:])  # it may be what comes of it
    return outer is not None and (only_reads(outer, node) or (isinstance(outer, ast.Call) and is_of_library(outer)))


def is_of_library(call: ast.Call) -> bool:
    """Whether a call is of a library that hands nothing on of the lists and dicts that it takes."""
    return (dotted_name(call.func) or "").partition(".")[0] in LIBRARIES
