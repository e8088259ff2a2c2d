"""Loops in which a turn that selects no rows changes nothing but what its calls do."""

from __future__ import annotations

import ast
from typing import NamedTuple

from breaklint.analysis.literals import integer, same_code
from breaklint.analysis.shapes import operation
from breaklint.fixes.base import FixRequest
from breaklint.project.scope import single_target
from breaklint.project.walking import walk

REDUCED = ("torch.greater({sum}, 0)", "torch.gt({sum}, 0)", "{sum} > 0", "{sum} != 0")
SELECTING = ("torch.where({row})", "torch.nonzero({row}, as_tuple=True)", "{row}.nonzero(as_tuple=True)")


class Asked(NamedTuple):
    """A mask of which every row is asked whether it holds anything, and how many dimensions a row has."""

    mask: ast.Name
    dims: int


def asked_of(request: FixRequest, condition: ast.expr) -> Asked | None:
    """The mask `m` of `m.sum(dim=(-1, -2)) > 0` and the like; None for any other test, and where `m` may change."""
    found = request.matched(condition, *REDUCED)
    reduced = found["sum"] if found is not None else condition
    split = operation(request, reduced) if isinstance(reduced, ast.Call) else None
    method = reduced.func if isinstance(reduced, ast.Call) else None
    if split is None and isinstance(method, ast.Attribute):  # of what nothing else is known
        split = method.attr, [method.value, *reduced.args] if isinstance(reduced, ast.Call) else []
    if split is None or split[0] != ("any" if found is None else "sum") or not isinstance(split[1][0], ast.Name):
        return None
    mask, dims = split[1][0], [*split[1][1:], *(each.value for each in getattr(reduced, "keywords", ()))]
    later = [each for each in request.scope.loads(mask.id) if request.flow.may_precede(mask, each)]
    plain = not any(request.flow.may_precede(mask, each) for each in request.scope.stores(mask.id))
    kept = plain and all(_is_row(request, each) for each in later) and not request.scope.shares(mask.id)
    count = _trailing(dims[0]) if kept and len(dims) == 1 else 0
    return Asked(mask, count) if count else None


def changes_nothing(request: FixRequest, body: list[ast.stmt], asked: Asked, row: ast.expr) -> bool:
    """Whether a turn for a place where the mask selects nothing stores nothing that is read outside of it.

    `row` is how the body writes the row of the mask.
    """
    selected: set[str] = set()
    for position, statement in enumerate(body):
        if _skips(statement):
            continue
        found = _selected(request, statement, row)
        if found is None or not _has_rows_of(request, found, asked):
            return False
        selected = {part.id for part in walk(found) if isinstance(part, ast.Name)}
        rest = body[position + 1 :]
        return all(_stays(request, each, selected, body) for each in [statement, *rest]) and bool(rest)
    return False


def _trailing(node: ast.expr) -> int:
    """How many dimensions `dim` names, where they are the last ones; 0 otherwise."""
    dims = {integer(each) for each in (node.elts if isinstance(node, ast.Tuple) else [node])}
    return len(dims) if dims in ({-1}, {-1, -2}, {1}, {1, 2}) else 0


def _has_rows_of(request: FixRequest, target: ast.expr, asked: Asked) -> bool:
    """Whether a row of the mask has as many dimensions as were asked: one name for each unpacks the places in it."""
    tensor = request.tensor(asked.mask)
    unpacked = isinstance(target, ast.Tuple) and len(target.elts) == asked.dims
    return unpacked or (tensor is not None and tensor.ndim == asked.dims + 1)


def _is_row(request: FixRequest, load: ast.Name) -> bool:
    around = request.scope.parent(load)
    read = isinstance(around, ast.Subscript) and around.value is load and isinstance(around.ctx, ast.Load)
    return read or (isinstance(around, ast.Attribute) and around.attr in ("shape", "device", "dtype"))


def _skips(statement: ast.stmt) -> bool:
    """`if k == n: continue`."""
    return isinstance(statement, ast.If) and [type(each) for each in statement.body] == [ast.Continue]


def _selected(request: FixRequest, statement: ast.stmt, row: ast.expr) -> ast.expr | None:
    """The names of `i, j = torch.where(row)` and the like."""
    target = single_target(statement)
    first = request.matched(getattr(statement, "value", None), "{all}[0]")
    call = first["all"] if first is not None else getattr(statement, "value", None)
    found = request.matched(call, *SELECTING)
    listed = found is not None and same_code(found["row"], row)
    plain = isinstance(target, ast.Name) or (isinstance(target, ast.Tuple) and _are_names(target.elts))
    return target if listed and plain and (first is None or isinstance(target, ast.Name)) else None


def _are_names(nodes: list[ast.expr]) -> bool:
    return all(isinstance(each, ast.Name) for each in nodes)


def _stays(request: FixRequest, statement: ast.stmt, selected: set[str], body: list[ast.stmt]) -> bool:
    """Whether a statement stores in names of the turn alone, or in the selected rows of a tensor."""
    if isinstance(statement, ast.If):
        return all(_stays(request, each, selected, body) for each in [*statement.body, *statement.orelse])
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        added = isinstance(call.func, ast.Attribute) and call.func.attr in ("index_add_", "index_copy_")
        return added and len(call.args) > 1 and _is_selected(call.args[1], selected)
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    if not isinstance(statement, ast.Assign | ast.AugAssign) or len(targets) != 1:
        return False
    parts = targets[0].elts if isinstance(targets[0], ast.Tuple) else targets
    for part in parts:
        stored = isinstance(part, ast.Subscript) and _is_selected(part.slice, selected)
        if not stored and not (isinstance(part, ast.Name) and _is_of_turn(request, part, body)):
            return False
    return True


def _is_selected(index: ast.expr, selected: set[str]) -> bool:
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(isinstance(each, ast.Name) and each.id in selected for each in parts)


def _is_of_turn(request: FixRequest, name: ast.Name, body: list[ast.stmt]) -> bool:
    """Whether a name is read in the turn that has bound it, and nowhere else."""
    scope = request.scope
    first = next((each for each in body if any(store in walk(each) for store in scope.stores(name.id))), None)
    if first is None or scope.shares(name.id) or isinstance(first, ast.If | ast.AugAssign):
        return False
    inside = {part for each in body for part in walk(each)}
    own = [store for store in request.values.stores(name.id) if store in inside]
    within = [each for each in scope.loads(name.id) if each in inside]
    outside = any(load not in inside for store in own for load in request.values.uses(store))
    around = [each for each in scope.parents(first) if isinstance(each, ast.For | ast.While)]
    bound = [store for store in own if scope.statement(store) is first]
    always = all(any(request.flow.dominates(store, each) for store in bound) for each in within)
    return not outside and len(around) == 1 and always
