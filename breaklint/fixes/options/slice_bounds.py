"""Slice bounds that only the data tells: they compile once it is known that they lie in the tensor."""

from __future__ import annotations

import ast
from typing import NamedTuple


class Bound(NamedTuple):
    """A slice bound that only the data tells, of dimension `dim` of `sliced`."""

    node: ast.expr
    sliced: ast.expr
    dim: int


def slices_of(node: ast.Subscript) -> list[tuple[ast.Slice, int]]:
    """The slices of a subscript with the dimension that each cuts; none behind what moves the dimensions."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    found = []
    for dim, part in enumerate(parts):
        if isinstance(part, ast.Constant) and part.value in (None, ...):
            break
        if isinstance(part, ast.Slice):
            found.append((part, dim))
    return found
