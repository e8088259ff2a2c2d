"""The uses of a random number of Python: by tensors, or by Python arithmetic."""

from __future__ import annotations

import ast

from breaklint.analysis.shapes import operation, takes_tensor
from breaklint.fixes.base import FixRequest, NotFixable

# Builtins.
CONVERSIONS = frozenset({"builtins.int", "builtins.float", "builtins.round"})


def check_meets_tensors(request: FixRequest, draw: ast.expr) -> None:
    """Dynamo computes with a random number and a tensor, but not with a random number and a Python number (GB0213)."""
    meets_tensors = _meets_tensors(request, draw, frozenset())
    if not meets_tensors:
        raise NotFixable("Python computes with the number before a tensor does, which breaks the graph as well")


def _meets_tensors(request: FixRequest, draw: ast.expr, names: frozenset[str]) -> bool:
    enclosing = request.scope.parent(draw)
    if isinstance(enclosing, ast.Assign) and isinstance(enclosing.targets[0], ast.Name):
        name = enclosing.targets[0].id
        loads = request.scope.loads(name) if name not in names else []
        if not all(_meets_tensors(request, load, names | {name}) for load in loads):
            return False
    split = operation(request, enclosing) if isinstance(enclosing, ast.Call) else None
    converts = isinstance(enclosing, ast.Call) and request.qualified(enclosing.func) in CONVERSIONS
    converts = converts or (split is not None and not takes_tensor(request, split[0], split[1].index(draw)))
    computed = isinstance(enclosing, (ast.BinOp, ast.UnaryOp)) and request.tensor(enclosing) is None
    return not converts and not computed
