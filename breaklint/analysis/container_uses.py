"""Lists and dicts that a file keeps under a name or in an attribute, and whether its code may change what they hold."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from breaklint.analysis.reading import (
    CHANGERS,
    COUNTING,
    KEYED,
    READERS,
    computes,
    is_of_library,
    only_reads,
    told_name,
)
from breaklint.interp.containers import containers_in
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.project.module import Module
from breaklint.project.walking import children, dotted_name, has_row, rows_with

LEAVES = (ast.BinOp, ast.Compare, ast.FormattedValue, ast.UnaryOp)  # what takes numbers and texts, and hands on neither


class Changed(dict[tuple[str, frozenset[str], bool], bool]):
    """Which names, and names of attributes, have lists and dicts that code of a file may change: it does more with them
    than read their items. Only the rows with a name that is asked for are looked at."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self.inferred: Mapping[ast.AST, Value] = {}

    def __missing__(self, key: tuple[str, frozenset[str], bool]) -> bool:
        name, aliases, deep = key
        self[key] = found = _Uses(aliases, self.inferred if deep else None).change(self._module, name)
        return found


def may_change(
    module: Module,
    name: str,
    aliases: frozenset[str] = frozenset(),
    values: Mapping[ast.AST, Value] | None = None,
) -> bool:
    """Whether code of a file may change a list or dict of this name.

    `aliases` are names under which it is looked for as well, so that it may be stored there. `values`, what was
    inferred, is given where it holds lists and dicts itself: then code that gets one of these may change it.
    """
    changed = module.derive(Changed, lambda: Changed(module))
    changed.inferred = values or changed.inferred
    return changed[name, aliases, values is not None]


def changed_names(tree: ast.Module) -> frozenset[str]:
    """All names, and names of attributes, with lists and dicts that code of a file may change."""
    uses, found = _Uses(frozenset(), None), set[str]()
    waiting: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(tree, ())]
    while waiting:
        node, around = waiting.pop()
        name = _loaded(node) or told_name(node)
        if name and name not in found and not uses.is_read(node, around):
            found.add(name)
        inside = (node, *around[:5])
        waiting += [(child, inside) for child in children(node)]
    return frozenset(found)


class _Uses:
    """What code does with the lists and dicts of a name; `deep` where it may get lists and dicts out of them."""

    def __init__(self, aliases: frozenset[str], values: Mapping[ast.AST, Value] | None) -> None:
        self.aliases, self.deep, self.values = aliases, values is not None, values or {}

    def change(self, module: Module, name: str) -> bool:
        """Whether code of a file may change what the name stands for."""
        rows = rows_with(module.text, [name])
        waiting: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(module.tree, ())] if rows else []
        while waiting:
            node, around = waiting.pop()
            if name in (_loaded(node), told_name(node)) and not self.is_read(node, around):
                return True
            inside = (node, *around[:5])
            below = (child for child in children(node) if not isinstance(child, ast.stmt) or has_row(child, rows))
            waiting += [(child, inside) for child in below]
        return False

    def is_read(self, node: ast.AST, around: tuple[ast.AST, ...]) -> bool:
        """Whether only items of a list or dict are read where it stands; `around` are the nodes around it."""
        outer, beyond = (*around, None, None)[:2]
        if isinstance(outer, ast.Assign) and self.aliases and outer.value is node:
            return all(_named(target) in self.aliases for target in outer.targets)
        if isinstance(outer, ast.Subscript) and outer.value is node:
            if not isinstance(outer.ctx, ast.Load):
                return False
            if self.deep:
                return self._is_item_read(outer, around[1:])
            # Its item may be stored, or be changed by a method.
            return not (isinstance(beyond, (ast.Subscript, ast.Attribute)) and not self.is_read(outer, around[1:]))
        if isinstance(outer, ast.Attribute):
            called = isinstance(beyond, ast.Call) and beyond.func is outer
            if self.deep and called and outer.attr in READERS - KEYED:
                return self._is_item_read(beyond, around[2:])
            return isinstance(outer.ctx, ast.Load) and (outer.attr in READERS if called else outer.attr not in CHANGERS)
        if isinstance(outer, (ast.BoolOp, ast.IfExp)) and not only_reads(outer, node):
            return self.is_read(outer, around[1:])  # it may be what comes of it
        if self.deep:
            return _is_leaf(outer)
        if isinstance(outer, ast.keyword):
            taken = isinstance(beyond, ast.Call) and (is_of_library(beyond) or computes(beyond))
            return outer.arg is None or (taken and not _is_made_of(beyond))
        if isinstance(outer, ast.Call) and outer.func is not node:
            return is_of_library(outer) or _computes(outer)
        return outer is not None and only_reads(outer, node)

    def _is_item_read(self, item: ast.AST | None, around: tuple[ast.AST, ...]) -> bool:
        """Whether what comes out of a list or dict holds none, or is itself only read."""
        value = self.values.get(item, UNKNOWN) if item is not None else UNKNOWN
        known = value is not UNKNOWN and next(containers_in(value), None) is None
        return known or (item is not None and self.is_read(item, around))


def _loaded(node: ast.AST) -> str:
    """The name that a node reads, or that of an attribute."""
    return _named(node) if isinstance(getattr(node, "ctx", None), ast.Load) else ""


def _named(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_leaf(outer: ast.AST | None) -> bool:
    """Whether code only computes with what stands right below it, or counts it."""
    return isinstance(outer, LEAVES) or (isinstance(outer, ast.Call) and dotted_name(outer.func) in COUNTING)


def _is_made_of(call: ast.AST | None) -> bool:
    """Whether a call makes a dict of its keywords: `dict(a=sizes)` holds the list itself."""
    return isinstance(call, ast.Call) and dotted_name(call.func) == "dict"


def _computes(call: ast.Call) -> bool:
    """As `computes`, where no argument itself may be what the call gives, as `max(a, b)` is one of the two."""
    return computes(call) and not (dotted_name(call.func) in ("max", "min") and len(call.args) > 1)
