"""Uses of the value of an attribute: uses that need the value, not only the attribute."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.events import GetAttribute
from breaklint.interp.frame import Frame
from breaklint.project.walking import dotted_name, walk_with_parents

# Expressions that pass a value on unchanged, to be used by an enclosing one.
HANDED_ON: Final = (ast.Tuple, ast.List, ast.Starred, ast.Attribute, ast.keyword, ast.Slice)
OPERATORS: Final = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Subscript, ast.AugAssign, ast.If, ast.While, ast.For)
# Builtins that only read their arguments; others, such as `getattr`, may return them.
LOOKING: Final = frozenset("range int float bool len min max abs sum isinstance".split())


def is_used(event: GetAttribute) -> bool:
    """Whether an operator, a test or a function of torch takes the value of the attribute.

    A value that is stored, returned or passed to the program's own functions may be used later, or never. The first of
    several attributes in one expression counts.
    """
    frame = event.frame
    if frame.function is None:
        return False
    enclosing = {id(node): parent for node, parent in walk_with_parents(frame.function.node)}
    inside: ast.AST = event.node
    outer = enclosing.get(id(inside))
    while isinstance(outer, HANDED_ON) or (isinstance(outer, ast.IfExp) and inside is not outer.test):
        inside, outer = outer, enclosing.get(id(outer))
    if outer is None or not _takes(frame, outer, inside):
        return False
    same = (node for node in ast.walk(outer) if isinstance(node, ast.Attribute) and _is_like(node, event))
    return next(same, None) is event.node


def _takes(frame: Frame, outer: ast.AST, inside: ast.AST) -> bool:
    if isinstance(outer, ast.Compare):
        return not all(isinstance(op, (ast.Is, ast.IsNot)) for op in outer.ops)
    if isinstance(outer, ast.Call):
        return inside is outer.func or _is_of_torch(frame, outer.func)
    return isinstance(outer, (*OPERATORS, ast.IfExp))


def _is_of_torch(frame: Frame, function: ast.expr) -> bool:
    """Whether the callee is a function of torch, a method of tensors, or a builtin that reads its argument."""
    dotted = dotted_name(function) or ""
    target = frame.interp.project.resolve(frame.module, dotted) if dotted else None
    if isinstance(target, str):
        return target.startswith("torch.")
    if isinstance(function, ast.Attribute):
        on_itself = isinstance(function.value, ast.Name) and function.value.id == "self"
        return not on_itself and frame.interp.facts.method(function.attr) is not None
    return target is None and dotted in LOOKING


def _is_like(node: ast.Attribute, event: GetAttribute) -> bool:
    """Whether an attribute is one of the same object."""
    return isinstance(event.node, ast.Attribute) and ast.dump(node.value) == ast.dump(event.node.value)
