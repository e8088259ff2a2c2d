"""Whether a value at its use equals the value at its definition: neither it nor its name changes in between.

A change may come through an alias, a view, a function that the value is passed to, a function inside this one, or the
turn of a loop before. So only places that cannot change it are let pass: those that compute from it.
"""

from __future__ import annotations

import ast

from breaklint.analysis.model import FunctionModel
from breaklint.analysis.purity import only_read
from breaklint.project.walking import walk

# Methods that give a tensor another shape in place.
RESHAPING = frozenset(
    "resize_ resize_as_ resize set_ squeeze_ unsqueeze_ as_strided_ t_ transpose_ swapaxes_ swapdims_".split()
)


def is_unchanged(model: FunctionModel, name: str, at: ast.AST) -> bool:
    """Whether a local name has, at a node, the unchanged value of its last definition."""
    if model.scope.shares(name):
        return False
    inside = set(walk(at))
    loads = (load for load in model.scope.loads(name) if load not in inside and model.values.may_precede(load, at))
    return all(only_read(model, load) for load in loads)


def reshapes(root: ast.AST) -> bool:
    """Whether a function gives a tensor another shape in place."""
    return any(
        (part.attr in RESHAPING or (part.attr == "data" and isinstance(part.ctx, ast.Store)))
        and isinstance(part.value, (ast.Name, ast.Attribute, ast.Subscript))
        for part in walk(root)
        if isinstance(part, ast.Attribute)
    )
