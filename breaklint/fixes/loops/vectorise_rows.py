"""Loops over the rows of a tensor with a pointwise body: rewritten for all rows."""

from __future__ import annotations

import ast
from typing import NamedTuple

from breaklint.analysis.alias import is_fresh_result
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.loops.row_bodies import Rows, alike, for_all, row_of
from breaklint.fixes.loops.row_loops import rows_of
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.fixes.rewrite import Change, Put
from breaklint.project.scope import single_name, single_target
from breaklint.project.syntax import name_of_variable
from breaklint.project.walking import variables_in, walk

WHY = "An empty batch gives a result instead of an error. Reductions round in another order."
STATE = "its body does more than append to a list: state that one turn hands to the next cannot be computed at once"


class AllRows(NamedTuple):
    """Code for all rows."""

    code: str
    message: str = "Compute all rows at once"


@fix("vectorise-rows", unsafe=WHY)
def vectorise_rows(m: Match) -> Draft:
    """`torch.stack([f(row) for row in x])` → `f(x)`.

    Also if a loop fills a list or a tensor.
    """
    request, enclosing = m.request, m.request.scope.parent(m.request.node)
    if isinstance(enclosing, ast.comprehension):
        rows, change = _comprehension(request, enclosing)
    elif isinstance(enclosing, ast.For) and enclosing.iter is request.node:
        result = request.matched(enclosing.body[0], "{out}[{place}] = {row}") if len(enclosing.body) == 1 else None
        place = name_of_variable(result["place"]) if result is not None else ""
        if result is not None and place and isinstance(out := result["out"], ast.Name):
            rows, change = _stores(request, enclosing, out, place, result["row"])
        else:
            rows, change = _loop(request, enclosing)
    else:
        raise NotFixable("it is not a `for` loop or comprehension")
    return Draft(rows.message, (change,))


def _comprehension(request: FixRequest, loop: ast.comprehension) -> tuple[AllRows, Change]:
    row = request.scope.parent(loop)
    if not isinstance(row, (ast.ListComp, ast.GeneratorExp)) or len(row.generators) != 1 or loop.ifs or loop.is_async:
        raise NotFixable("the comprehension does more than compute one value per row")
    stack = request.scope.parent(row)
    if not isinstance(stack, ast.Call) or _stacked(request, stack) is not row:
        raise NotFixable("its results are not stacked again")
    rows = _all_at_once(request, row.elt, rows_of(request, loop.target, loop.iter))
    return rows, request.exchange(stack, rows.code)


def _loop(request: FixRequest, loop: ast.For) -> tuple[AllRows, Change]:
    """`rows = []`, a loop that only appends, and `stack` of `rows` in the next statement."""
    place = request.scope.block(loop)
    if place is None or place[1] == 0 or place[1] + 1 >= len(place[0]) or loop.orelse:
        raise NotFixable("it does not fill a list that the next statement stacks")
    before, after = place[0][place[1] - 1], place[0][place[1] + 1]
    name, appended = _appended(request, loop)
    _check_target(request, loop)
    if single_name(before) != name or request.matched(before, "{rows} = []") is None:
        raise NotFixable(f"`{name}` is not created empty right before the loop")
    result = single_target(before)
    reads = request.values.uses(result) if isinstance(result, ast.Name) else []
    stacks = [part for part in walk(after) if name_of_variable(_stacked(request, part)) == name]
    if len(stacks) != 1 or len(reads) != 2 or not isinstance(after, (ast.Assign, ast.Return)):
        raise NotFixable("the next statement does not only stack its results")
    assert isinstance(stacks[0], ast.expr)
    rows = _all_at_once(request, appended, rows_of(request, loop.target, loop.iter))
    return rows, Put(before, after, request.code_with(after, {stacks[0]: rows.code}))


def _stores(request: FixRequest, loop: ast.For, out: ast.Name, place: str, body: ast.expr) -> tuple[AllRows, Change]:
    """`out = torch.zeros_like(x)`, `for i in range(len(x)): out[i] = f(x[i])` → `out[:] = f(x)`."""
    rows = rows_of(request, loop.target, loop.iter)
    if loop.orelse or place != rows.index:
        raise NotFixable("it stores to another index than it reads from")
    _check_target(request, loop)
    if out.id in variables_in(body):
        raise NotFixable(STATE)
    values = _all_stored(request, out, body, rows)
    return values, Put(loop, loop, f"{out.id}[:] = {values.code}")


def _all_stored(request: FixRequest, out: ast.Name, body: ast.expr, rows: Rows) -> AllRows:
    model = _shaped_like(request, request.definition(out.id, request.node).value)
    if model is None or not alike(request, model, rows.tensors[0]):
        raise NotFixable(f"`{out.id}` does not have an inferred value: a new tensor with the shape of the loop")
    part = for_all(request, body, rows)
    if part.of != "elements":
        raise NotFixable("breaklint cannot infer that the stored value has the shape of a row")
    return AllRows(part.text, "Store all rows at once")


def _shaped_like(request: FixRequest, call: ast.expr | None) -> ast.expr | None:
    """The tensor `x` of `torch.zeros_like(x)`, `torch.zeros(x.shape)`, `y.new_zeros(x.shape)`, and their like."""
    if not isinstance(call, ast.Call) or not call.args:
        return None
    method = isinstance(call.func, ast.Attribute) and request.tensor(call.func.value) is not None
    name = call.func.attr if method and isinstance(call.func, ast.Attribute) else request.qualified(call.func)
    if name in ("torch.zeros_like", "torch.ones_like", "torch.empty_like"):
        return call.args[0]
    shape = call.args[0]
    takes_size = name in ("torch.zeros", "torch.ones", "torch.empty", "new_zeros", "new_ones", "new_empty")
    whole = isinstance(shape, ast.Attribute) and shape.attr == "shape" and len(call.args) == 1
    return shape.value if takes_size and whole and isinstance(shape, ast.Attribute) else None


def _check_target(request: FixRequest, loop: ast.For) -> None:
    inside = set(walk(loop))
    for part in walk(loop.target):
        if isinstance(part, ast.Name) and any(use not in inside for use in request.values.uses(part)):
            raise NotFixable(f"`{request.text(part)}` is used after the loop")


def _appended(request: FixRequest, loop: ast.For) -> tuple[str, ast.expr]:
    """The list that the body appends to, and the appended value."""
    result = request.matched(loop.body[0], "{rows}.append({row})") if len(loop.body) == 1 else None
    if result is None or not isinstance(result["rows"], ast.Name):
        raise NotFixable(STATE)
    return result["rows"].id, result["row"]


def _stacked(request: FixRequest, node: ast.AST) -> ast.expr | None:
    """The rows that a call stacks along the first dimension."""
    result = request.matched(node, "torch.stack({rows})", "torch.stack({rows}, 0)", "torch.stack({rows}, dim=0)")
    return result["rows"] if result is not None else None


def _all_at_once(request: FixRequest, body: ast.expr, rows: Rows) -> AllRows:
    if any(not alike(request, tensor, rows.tensors[0]) for tensor in rows.tensors[1:]):
        raise NotFixable("breaklint cannot infer that the tensors have one shape")
    part = for_all(request, body, rows)
    if part.of == "":
        raise NotFixable("its body does not use the row")
    shared = row_of(request, body, rows) is not None or not is_fresh_result(request, body)
    text = f"{request.code(part.text)}.clone()" if shared else part.text
    return AllRows(text)
