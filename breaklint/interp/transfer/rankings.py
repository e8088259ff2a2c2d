"""The rank of the indices of a sort, by their uses in the function."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.parameter_inference import uses
from breaklint.interp.values import Tensor
from breaklint.project.module import FunctionInfo

SORTING: Final = frozenset({"sort", "argsort"})  # operators of torch


def of_ranking(function: FunctionInfo | None, name: str, value: Tensor) -> Tensor:
    """A tensor of unknown rank that is assigned to `name`; it has one dimension if it is a ranking.

    `order = scores.argsort()` sorts along the last dimension. If code takes the first item by `order[0]` and the rest
    by `order[1:]`, the last dimension is the first.
    """
    if function is None or name not in function.derive(_rankings):
        return value
    return Tensor(value.dtype, 1, value.assumed, value.role)


def _rankings(function: FunctionInfo) -> frozenset[str]:
    """The names of rankings."""
    names = map(_sorted_places, function.nodes.of(ast.Assign)) if function.may_hold("sort") else ()
    return frozenset(name for name in names if name is not None and _takes_off_the_front(function, name))


def _takes_off_the_front(function: FunctionInfo, name: str) -> bool:
    indices = [
        parent.slice
        for node, parent in uses(function).get(name, ())
        if isinstance(parent, ast.Subscript) and parent.value is node
    ]
    first = any(isinstance(index, ast.Constant) and index.value == 0 for index in indices)
    return first and any(isinstance(index, ast.Slice) and index.upper is index.step is None for index in indices)


def _sorted_places(store: ast.Assign) -> str | None:
    """The name of the indices of a sort: `order = x.argsort()`, `_, order = x.sort()`."""
    target, call = store.targets[0], store.value
    if isinstance(target, ast.Tuple):
        target = target.elts[-1]
    elif isinstance(call, ast.Subscript):
        call = call.value  # `x.sort()[1]`
    sorts = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in SORTING
    return target.id if sorts and isinstance(target, ast.Name) else None
