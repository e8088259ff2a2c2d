"""Where a number that Python draws at random goes: to tensors, or to Python's own arithmetic."""

from __future__ import annotations

import ast

from breaklint.analysis.shapes import operation, takes_tensor
from breaklint.fixes.base import FixRequest, NotFixable

# Builtins.
CONVERSIONS = frozenset({"builtins.int", "builtins.float", "builtins.round"})


def check_meets_tensors(request: FixRequest, drawn: ast.expr) -> None:
    """Dynamo computes with a random number and a tensor, but not with a random number and a Python number (GB0213)."""
    met = _meets_tensors(request, drawn, frozenset())
    if not met:
        raise NotFixable("Python computes with the number before a tensor does, which breaks the graph as well")


def _meets_tensors(request: FixRequest, drawn: ast.expr, names: frozenset[str]) -> bool:
    around = request.scope.parent(drawn)
    if isinstance(around, ast.Assign) and isinstance(around.targets[0], ast.Name):
        name = around.targets[0].id
        loads = request.scope.loads(name) if name not in names else []
        if not all(_meets_tensors(request, load, names | {name}) for load in loads):
            return False
    split = operation(request, around) if isinstance(around, ast.Call) else None
    converts = isinstance(around, ast.Call) and request.qualified(around.func) in CONVERSIONS
    converts = converts or (split is not None and not takes_tensor(request, split[0], split[1].index(drawn)))
    computed = isinstance(around, (ast.BinOp, ast.UnaryOp)) and request.tensor(around) is None
    return not converts and not computed
