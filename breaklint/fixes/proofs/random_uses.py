"""Where a number that Python draws at random goes: to tensors, or to Python's own arithmetic."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.proofs.shape_equality import operation, takes_tensor

# Builtins.
CONVERSIONS = frozenset({"builtins.int", "builtins.float", "builtins.round"})


def meets_tensors(request: FixRequest, drawn: ast.expr, names: frozenset[str] = frozenset()) -> None:
    """Dynamo computes with a random number and a tensor, but not with a random number and a Python number (GB0213)."""
    around = request.scope.parent(drawn)
    if isinstance(around, ast.Assign) and isinstance(around.targets[0], ast.Name):
        name = around.targets[0].id
        for load in request.scope.loads(name) if name not in names else ():
            meets_tensors(request, load, names | {name})
    split = operation(request, around) if isinstance(around, ast.Call) else None
    converts = isinstance(around, ast.Call) and request.qualified(around.func) in CONVERSIONS
    converts = converts or (split is not None and not takes_tensor(request, split[0], split[1].index(drawn)))
    if converts or (isinstance(around, (ast.BinOp, ast.UnaryOp)) and request.tensor(around) is None):
        raise NotFixable("Python computes with the number before a tensor does, which breaks the graph as well")
