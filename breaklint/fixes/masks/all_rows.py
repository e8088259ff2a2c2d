"""What an iteration over experts does with the rows that a mask selects, done with all rows instead."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from breaklint.analysis.literals import same_code
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.masks.mixed_rows import check_apart
from breaklint.fixes.masks.scaled_rows import check_scaled
from breaklint.model import Edit
from breaklint.project.scope import single_target
from breaklint.project.syntax import assigned
from breaklint.project.walking import walk


@dataclass(frozen=True, slots=True)
class Iteration:
    """`names` are bound by the statement that selects, `row` is the row of the mask that it reads."""

    selecting: ast.stmt
    names: tuple[ast.Name, ...]
    row: ast.expr
    rest: tuple[ast.stmt, ...]


class AllRows(NamedTuple):
    """An iteration on all rows: the lines before its `store` into `stored`, and the `value` that is stored.

    Dimension `axis` of the row of the mask counts the rows.
    """

    imports: tuple[Edit, ...]
    before: tuple[str, ...]
    store: ast.stmt
    stored: ast.expr
    value: str
    axis: int
    lines: str


def on_all_rows(
    request: FixRequest,
    body: list[ast.stmt],
    row: ast.expr,
    parameters: Mapping[ast.expr, str] | None = None,
) -> AllRows:
    """`i, rows = torch.where(m[k]); y.index_add_(0, rows, f(x[rows]) * w[rows, i, None])` without a size from data.

    Every iteration takes all rows, the factor is the sum of what the mask selects of it, what is added is 0 elsewhere.
    `parameters` are names to write for parts of the body. Raises NotFixable where it is of another form.
    """

    def code(node: ast.AST, more: Mapping[ast.expr, str] | None = None) -> str:
        inside = {*walk(node)}
        parts = {part: name for part, name in (parameters or {}).items() if part in inside} | dict(more or {})
        return request.code_with(node, parts) if parts else request.code(node)

    iteration = _iteration(request, body, row)
    stores = [part for part in iteration.rest if is_store(part)]
    if len(stores) != 1:
        raise NotFixable("an iteration does not add to its rows once")
    place, value, stored = _stored(request, stores[0])
    rows = next((each for each in iteration.names if each.id == place.id), None)
    if rows is None:
        raise NotFixable("what is added is not added to the rows that are selected")
    check_apart(request, iteration.rest, [each.id for each in iteration.names], rows.id)
    torch, imports = request.name_of("torch")
    mask = free_name(request, "chosen", "taken", "picked")
    if mask is None:
        raise NotFixable("the names for the mask mean something else here")
    axis = iteration.names.index(rows)
    selecting = f"{mask} = {request.code(code(iteration.row))}.bool()\n"
    selecting += f"{rows.id} = {torch}.arange({mask}.shape[{axis}], device={mask}.device)"
    lines = {each: code(each) for each in body} | {iteration.selecting: selecting}
    hit, wide, given = mask, _ones(request, stored), code(value)
    if len(iteration.names) == 2:
        if isinstance(stores[0], ast.Assign):
            raise NotFixable("of a row that is selected twice one value is stored")
        hit = f"{mask}.any({1 - axis})"
        scaled = check_scaled(request, iteration.rest, value, iteration.names[1 - axis].id, rows.id)
        across = f"{mask}.T" if scaled.column == axis else mask
        factor = f"{torch}.where({across}, {request.code(scaled.factor)}, 0)"
        # A sum of narrow integers or bools is one of 64 bits.
        factor = f"{factor}.sum({scaled.column}, dtype={request.operand(scaled.factor)}.dtype){scaled.trailing}"
        wide = scaled.trailing or wide
        if scaled.read in walk(value):
            given = request.code(code(value, {scaled.read: factor}))
        else:
            lines[scaled.statement] = code(scaled.statement, {scaled.read: factor})
    other = "0" if not isinstance(stores[0], ast.Assign) else f"{request.code(stored)}[{rows.id}]"
    written = f"{torch}.where({hit}{wide}, {given}, {other})"
    before = tuple(lines[each] for each in body if each is not stores[0])
    lines[stores[0]] = request.code_with(stores[0], {value: written})
    return AllRows(imports, before, stores[0], stored, written, axis, "\n".join(lines.values()))


def _iteration(request: FixRequest, body: list[ast.stmt], row: ast.expr) -> Iteration:
    """The statement of an iteration that lists the selected rows, and those behind it."""
    for position, statement in enumerate(body):
        target = single_target(statement)
        read = [part for part in walk(statement) if isinstance(part, ast.expr) and same_code(part, row)]
        if target is None or not read:
            continue
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        names = tuple(each for each in parts if isinstance(each, ast.Name))
        if len(names) == len(parts) and len({each.id for each in names}) == len(names) <= 2:
            return Iteration(statement, names, read[0], tuple(body[position + 1 :]))
    raise NotFixable("no iteration lists the rows that its place selects")


def is_store(statement: ast.stmt) -> bool:
    """Whether a statement stores rows: the others bind names of the iteration."""
    return isinstance(statement, ast.Expr) or any(isinstance(each, ast.Subscript) for each in assigned(statement))


def _stored(request: FixRequest, statement: ast.stmt) -> tuple[ast.Name, ast.expr, ast.expr]:
    """The rows, the value and the tensor of `y.index_add_(0, rows, v)`, `y[rows] += v` and `y[rows] = v`."""
    found = request.matched(statement, "{y}.index_add_(0, {rows}, {v})", "{y}[{rows}] += {v}", "{y}[{rows}] = {v}")
    if found is None or not isinstance(found["rows"], ast.Name):
        raise NotFixable("rows are stored in another way than by adding")
    return found["rows"], found["v"], found["y"]


def _ones(request: FixRequest, stored: ast.expr) -> str:
    """What makes a mask of rows as wide as the tensor that is added to."""
    tensor = request.tensor(stored)
    if tensor is not None and tensor.ndim is not None:
        return "" if tensor.ndim == 1 else f"[:, {', '.join(['None'] * (tensor.ndim - 1))}]"
    return f".view(-1, *[1] * ({request.operand(stored)}.dim() - 1))"


def free_name(request: FixRequest, *names: str) -> str | None:
    """The first of some names that means nothing in the function and its file; None where each does."""
    used = (request.scope.binds, request.scope.loads, request.module.names.__contains__)
    return next((name for name in names if not any(asked(name) for asked in used)), None)
