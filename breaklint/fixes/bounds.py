"""Slice bounds that only the data tells: they compile once it is known that they lie in the tensor."""

from __future__ import annotations

import ast
from typing import NamedTuple

from breaklint.fixes import layout
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.interp.values import Tensor
from breaklint.model import Edit, Position, Span
from breaklint.project.spans import span_of


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


def checks_of(request: FixRequest, bound: Bound) -> list[Edit]:
    """`torch._check` that a slice stays within its tensor, right before the statement that slices."""
    statement = request.statement(bound.node)
    place = request.scope.block(statement)
    if place is None or hasattr(statement, "body") or not isinstance(bound.sliced, (ast.Name, ast.Attribute)):
        raise NotFixable("there is no place for a check before it")
    if any(isinstance(around, (ast.comprehension, ast.ListComp)) for around in request.scope.parents(bound.node)):
        raise NotFixable("there is no place for a check before it")
    torch, _ = request.name_of("torch")
    name, lines, edits = request.text(bound.node), [], []
    if not isinstance(bound.node, ast.Name) or isinstance(request.value(bound.node), Tensor):
        name = _unused(request, "bound")
        read = f"{request.operand(bound.node)}.item()"
        lines.append(f"{name} = {read if isinstance(request.value(bound.node), Tensor) else request.text(bound.node)}")
        edits.append(Edit(span_of(request.module, bound.node), name))
    size = f"{request.text(bound.sliced)}.shape[{bound.dim}]"
    lines += [f"{torch}._check({name} >= 0)", f"{torch}._check({name} <= {size})"]
    indent = layout.indent_of(request.module, statement)
    start = Position(statement.lineno, len(indent) + 1)
    return [Edit(Span(start, start), "".join(f"{line}\n{indent}" for line in lines)), *edits]


def _unused(request: FixRequest, name: str) -> str:
    if request.scope.binds(name) or name in request.module.names or request.scope.loads(name):
        raise NotFixable(f"the name `{name}` means something else here")
    return name
