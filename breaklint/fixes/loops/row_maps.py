"""Loops over rows as `torch.vmap` of their body: only shown, because vmap does not support every function."""

from __future__ import annotations

import ast

from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.loops.row_bodies import Rows
from breaklint.project.spans import span_of
from breaklint.project.walking import walk

MAPPED = "torch.vmap does not support every function, and all rows must have results of one shape"


def mapped(request: FixRequest, body: ast.expr, rows: Rows, reason: NotFixable) -> str:
    """`torch.vmap(lambda row: …)(x)`; raises the previous reason if the body may have side effects."""
    taken = _taken(request, body, rows)
    if taken is None or not is_pure(request, body):
        raise reason
    names, tensors, text = taken
    torch, _ = request.name_of("torch")
    return f"{torch}.vmap(lambda {', '.join(names)}: {text})({', '.join(tensors)})"


def _taken(request: FixRequest, body: ast.expr, rows: Rows) -> tuple[list[str], list[str], str] | None:
    """The names of the rows, their tensors, and the body with `x[i]` replaced by such a name; None if the body uses
    the index itself, or no row."""
    at = {part for part in walk(body) if isinstance(part, ast.Name) and part.id == rows.index}
    places = [part for part in walk(body) if isinstance(part, ast.Subscript) and part.slice in at]
    names, tensors = list(rows.names), [request.code(tensor) for tensor in rows.tensors] if rows.names else []
    if len(places) != len(at) or not (names or places):
        return None
    renamed: dict[ast.expr, str] = {}
    for place in sorted(places, key=lambda place: span_of(request.module, place)):
        if not isinstance(place.value, ast.Name) or request.tensor(place.value) is None:
            return None
        name = renamed[place] = f"{place.value.id}_row"
        if request.scope.binds(name) or name in request.module.names:
            return None
        if name not in names:
            names.append(name)
            tensors.append(place.value.id)
    return names, tensors, request.code_with(body, renamed)
