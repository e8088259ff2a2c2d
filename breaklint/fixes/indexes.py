"""Computed 0-dim tensors as indexes."""

from __future__ import annotations

import ast

from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Outcome, Verdict
from breaklint.fixes.purity import is_pure

WHY = "a negative index raises, and the result is a copy where `x[k]` shares memory with x"


def index_select(request: FixRequest) -> Outcome:
    """`x[k]` -> `x.index_select(0, k.view(1)).squeeze(0)`."""
    node = request.node
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        raise NotFixable("it stores into the tensor")
    base, index = request.tensor(node.value), request.tensor(node.slice)
    if base is None:
        raise NotFixable("a list can only be indexed by a Python number; stack its items and select")
    if index is None:
        raise NotFixable("the index has more than one part")
    if index.ndim != 0 or index.dtype != "int" or base.ndim == 0:
        raise NotFixable("the index is not known to be a single integer")
    if not _only_read(request, node):
        raise NotFixable("`x[k]` is a view of x, through which x may be changed")
    content = f"{request.operand(node.value)}.index_select(0, {request.operand(node.slice)}.view(1)).squeeze(0)"
    return request.replace(node, content, Verdict(UNSAFE, WHY, "Select with a tensor of one index"))


def _only_read(request: FixRequest, node: ast.expr, names: frozenset[str] = frozenset()) -> bool:
    """Whether a view is used for nothing but computing from it."""
    around = request.scope.parent(node)
    if isinstance(around, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Return)):
        return True
    if isinstance(around, ast.Subscript) and around.value is node:
        return isinstance(around.ctx, ast.Load) and _only_read(request, around, names)
    if isinstance(around, ast.Attribute):
        call = request.scope.parent(around)
        return isinstance(call, ast.Call) and call.func is around and is_pure(request, call)
    if isinstance(around, ast.Call):
        return is_pure(request, around)
    if isinstance(around, ast.Assign) and len(around.targets) == 1 and isinstance(around.targets[0], ast.Name):
        name = around.targets[0].id
        if name in names:
            return True
        loads = request.scope.loads(name)
        return _once(request, name) and all(_only_read(request, load, names | {name}) for load in loads)
    return False


def _once(request: FixRequest, name: str) -> bool:
    """Whether a name is only ever assigned, never changed in place by `+=`."""
    return not any(isinstance(request.scope.parent(store), ast.AugAssign) for store in request.scope.stores(name))
