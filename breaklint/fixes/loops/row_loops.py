"""Loops over the rows of tensors."""

from __future__ import annotations

import ast

from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.loops.row_bodies import Rows


def rows_of(request: FixRequest, target: ast.expr, iterated: ast.expr) -> Rows:
    """The iterated value: a tensor, `zip(x, y)`, `enumerate(x)`, `range(len(x))`."""
    callee = request.qualified(iterated.func) if isinstance(iterated, ast.Call) and not iterated.keywords else ""
    if isinstance(iterated, ast.Call) and callee in ("builtins.zip", "builtins.enumerate"):
        names = [part.id for part in getattr(target, "elts", ()) if isinstance(part, ast.Name)]
        has_index = callee == "builtins.enumerate"
        if len(names) != len(iterated.args) + has_index or not iterated.args:
            raise NotFixable("its rows are not bound to new names")
        index, names = (names[0], names[1:]) if has_index else ("", names)
        return Rows(tuple(_tensor(request, argument) for argument in iterated.args), tuple(names), index)
    if not isinstance(target, ast.Name):
        raise NotFixable("it runs over more than one tensor")
    if request.tensor(iterated) is not None:
        return Rows((_tensor(request, iterated),), (target.id,))
    tensor = _tensor_of_range(request, iterated)
    if tensor is None:
        raise NotFixable("it does not run over all rows of one tensor")
    return Rows((tensor,), index=target.id)


def _tensor(request: FixRequest, node: ast.expr) -> ast.expr:
    if request.tensor(node) is None:
        raise request.not_a_tensor(node)
    if not is_pure(request, node):
        raise NotFixable("the iterated expression may have side effects")
    return node


def _tensor_of_range(request: FixRequest, iterated: ast.expr) -> ast.expr | None:
    """The tensor `x` of `range(len(x))`, `range(x.shape[0])` or `range(x.size(0))`."""
    match = request.matched(iterated, "range({count})")
    if match is None:
        return None
    where = match["count"]
    if isinstance(where, ast.Name):
        where = request.definition(where.id, iterated).value or where
    size = request.matched(where, "{x}.shape[0]", "{x}.size(0)", "len({x})")
    result = size["x"] if size is not None else None
    if not isinstance(result, ast.Name) or request.tensor(result) is None:
        return None
    # The size may be that of an earlier value of the name.
    same = request.definition(result.id, where).version == request.definition(result.id, iterated).version
    return result if same else None
