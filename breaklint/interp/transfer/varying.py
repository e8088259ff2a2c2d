"""Stores in loops of driver code that give an object another value at each iteration."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.frame import Frame
from breaklint.project.walking import walk

_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)


def varies(frame: Frame, target: ast.Attribute) -> bool:
    """Whether a loop stores in an attribute of one object what its iteration counts, before it calls something."""
    tree = frame.module.tree if frame.function is None else frame.function.node
    for loop in walk(tree):
        if not isinstance(loop, _LOOPS) or not loop.lineno < target.lineno <= (loop.end_lineno or 0):
            continue
        store = next((each for each in walk(loop) if _stores(each, target)), None)
        if store is None:
            continue
        changing = _changing(loop)
        if isinstance(store, ast.AugAssign):
            return not _names(target.value) & changing
        assert isinstance(store, ast.Assign)
        return bool(_names(store.value) & changing) and not _names(target.value) & changing
    return False


def _stores(node: ast.AST, target: ast.Attribute) -> bool:
    return (isinstance(node, ast.Assign) and target in node.targets) or (
        isinstance(node, ast.AugAssign) and node.target is target
    )


def _changing(loop: ast.AST) -> set[str]:
    """The names that are another value at each iteration: the loop's own, and what it counts."""
    names = _names(loop.target) if isinstance(loop, (ast.For, ast.AsyncFor)) else set()
    counted = (each.target for each in walk(loop) if isinstance(each, ast.AugAssign))
    return names | {target.id for target in counted if isinstance(target, ast.Name)}


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in walk(node) if isinstance(each, ast.Name)}
