"""Which expressions may be read twice: what they read is no property, no hook and no operator of a class of its own."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest
from breaklint.fixes.proofs.purity import is_pure
from breaklint.fixes.proofs.settings import is_computed, is_setting
from breaklint.interp.values import Const, Number, Shape, Size, Static, Tensor

PLAIN = (Const, Number, Shape, Size, Static, Tensor)  # whose operators run no code of the file


def may_be_read_twice(request: FixRequest, node: ast.expr) -> bool:
    """Whether reading an expression once more runs no code that could do something, and gives the same again."""
    return is_pure(request, node) and _is_plain(request, node)


def _is_plain(request: FixRequest, node: ast.AST) -> bool:
    if isinstance(node, (ast.Name, ast.Constant)):
        return True
    if isinstance(node, ast.Attribute):
        own = isinstance(node.value, ast.Name) and node.value.id == "self" and request.cls is not None
        if own and not is_computed(request, node.attr) and is_setting(request, node.attr):
            return True
        return request.tensor(node.value) is not None and _is_plain(request, node.value)
    if isinstance(node, (ast.JoinedStr, ast.Subscript)) and not isinstance(_base(request, node), Shape):
        return False
    if isinstance(node, ast.Call):
        operands = [*node.args, *(keyword.value for keyword in node.keywords)]
        operands += [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return all(_is_known(request, each) for each in operands)
    if isinstance(node, ast.Compare) and all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
        return all(_is_plain(request, each) for each in (node.left, *node.comparators))
    parts = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
    return all(_is_known(request, each) for each in parts)


def _base(request: FixRequest, node: ast.expr) -> object:
    return request.value(node.value) if isinstance(node, ast.Subscript) else None


def _is_known(request: FixRequest, node: ast.expr) -> bool:
    return isinstance(request.value(node), PLAIN) and _is_plain(request, node)
