"""Statements of constructors that run at once, because planning to defer them takes longer than running them."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.frame import Frame
from breaklint.project.module import ClassInfo
from breaklint.project.project import BUILTINS
from breaklint.project.walking import children, dotted_name

# Expressions that are as cheap as their operands.
COMPOSED: Final = frozenset({
    ast.BinOp, ast.BoolOp, ast.Compare, ast.GeneratorExp, ast.IfExp, ast.List, ast.ListComp, ast.Starred, ast.Subscript,
    ast.Tuple, ast.UnaryOp, ast.comprehension, ast.keyword,
})  # fmt: skip


def is_cheap(frame: Frame, node: ast.stmt) -> bool:
    """Whether the value that a statement stores is cheaper to evaluate than to defer."""
    return isinstance(node, ast.Assign) and _is_cheap(frame, node.value)


def _is_cheap(frame: Frame, node: ast.AST) -> bool:
    """Whether an expression reads no attribute chains and calls only functions outside the project and classes of the
    project, whose constructors are deferred anyway."""
    if isinstance(node, ast.Call):
        return _is_cheap_callee(frame, node.func) and all(
            _is_cheap(frame, each) for each in (*node.args, *node.keywords)
        )
    if node.__class__ in COMPOSED:
        return all(_is_cheap(frame, part) for part in children(node))
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name)
    return isinstance(node, (ast.Name, ast.Constant))


def _is_cheap_callee(frame: Frame, node: ast.expr) -> bool:
    dotted = dotted_name(node)
    if dotted is None or frame.lookup(dotted.partition(".")[0]) is not None:
        return False
    callee = frame.interp.project.resolve(frame.module, dotted)
    return isinstance(callee, (str, ClassInfo)) or (callee is None and dotted in BUILTINS)
