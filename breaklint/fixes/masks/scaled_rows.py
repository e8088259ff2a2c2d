"""Values of selected rows that are scaled by one factor for each, as routers weigh what experts give."""

from __future__ import annotations

import ast
from typing import NamedTuple

from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.project.scope import single_name
from breaklint.project.syntax import called_on, method_name, name_of_variable
from breaklint.project.walking import walk

# Conversions to floating dtypes alone, to which a factor carries over; `to` and `type` are measured without one.
CASTS = frozenset({"to", "type", "type_as", "float", "double", "half", "bfloat16"})
UNKNOWN = "what is added is not known to be scaled by one factor for each row"


class Scaled(NamedTuple):
    """`w[rows, i, None]`: `i` counts the dimension `column` of `w`, and `trailing` is `[:, None]`."""

    read: ast.Subscript
    statement: ast.stmt
    factor: ast.expr
    column: int
    trailing: str


def check_scaled(
    request: FixRequest, statements: tuple[ast.stmt, ...], added: ast.expr, other: str, rows: str
) -> Scaled:
    """The factor of a value that is added; `other` names the places that, with `rows`, read it and nothing else.

    Raises NotFixable unless the value is a product with it, cast at most: then a row that is selected twice is added
    twice, which one addition of both factors does as well.
    """
    reads = [part for each in statements for part in walk(each) if isinstance(part, ast.Name) and part.id == other]
    index = request.scope.parent(reads[0]) if len(reads) == 1 else None
    factor = request.scope.parent(index) if isinstance(index, ast.Tuple) else None
    if not isinstance(index, ast.Tuple) or not isinstance(factor, ast.Subscript) or factor.slice is not index:
        raise NotFixable(UNKNOWN)
    names = [name_of_variable(each) for each in index.elts[:2]]
    nones = all(isinstance(each, ast.Constant) and each.value is None for each in index.elts[2:])
    tensor = request.tensor(factor.value)
    if sorted(names) != sorted((other, rows)) or not nones or not isinstance(factor.value, ast.Name | ast.Attribute):
        raise NotFixable(UNKNOWN)
    if not is_pure(request, factor.value) or (tensor is not None and tensor.ndim not in (2, None)):
        raise NotFixable(UNKNOWN)
    statement = request.statement(factor)
    if _product_of(request, statements, added) is not factor or statement not in statements:
        raise NotFixable(UNKNOWN)
    trailing = f"[:, {', '.join(['None'] * (len(index.elts) - 2))}]" if len(index.elts) > 2 else ""
    return Scaled(factor, statement, factor.value, names.index(other), trailing)


def _product_of(request: FixRequest, statements: tuple[ast.stmt, ...], value: ast.expr) -> ast.expr | None:
    """The factor in square brackets of the product that a value is, followed through casts and names of the turn."""
    for _ in range(2 * len(statements) + 2):
        value = _without_casts(value)
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
            sides = [_read_of(request, statements, side) for side in (value.left, value.right)]
            return next((side for side in reversed(sides) if side is not None), None)
        if not isinstance(value, ast.Name):
            return None
        made = request.definition(value.id, value)
        if made.statement not in statements or made.value is None or single_name(made.statement) != value.id:
            return None
        value = made.value
    return None


def _read_of(request: FixRequest, statements: tuple[ast.stmt, ...], side: ast.expr) -> ast.Subscript | None:
    """The read that a side of the product is: `w[rows, i]`, or a name of it that nothing else reads, as a column."""
    side = _without_casts(side)
    column = request.matched(side, "{row}.unsqueeze(-1)", "{row}.unsqueeze(1)")
    side = _without_casts(column["row"]) if column is not None else side
    if isinstance(side, ast.Name) and len(request.scope.loads(side.id)) == 1:
        made = request.definition(side.id, side)
        side = _without_casts(made.value) if made.statement in statements and made.value is not None else side
    return side if isinstance(side, ast.Subscript) else None


def _without_casts(value: ast.expr) -> ast.expr:
    while method_name(value) in CASTS and (source := called_on(value)) is not None:
        value = source
    return value
