"""Loops over the places where a condition holds, as often as the data says: shown over all places."""

from __future__ import annotations

import ast

from breaklint.fixes.base import DISPLAY, FixRequest, NotFixable, Rewrite, Verdict
from breaklint.fixes.matching import matched
from breaklint.fixes.proofs.shape_equality import operation
from breaklint.fixes.rewrite import Replaced
from breaklint.project.scope import single_name

NOTHING = "every place gets its turn: the same where a turn that selects nothing changes nothing"


def over_all(request: FixRequest, call: ast.AST) -> Rewrite:
    """`hits = found.nonzero()`, `for k in hits: k = k[0]; …` -> `hits = range(found.shape[0])`, `for k in hits: …`.

    Raises NotFixable where the loop does more with the places than to take each as an index.
    """
    split = operation(request, call) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or split is None or split[0] not in ("nonzero", "argwhere"):
        raise NotFixable("it is no list of places")
    condition = split[1][0]
    tensor = request.tensor(condition)
    if len(split[1]) != 1 or (tensor is not None and tensor.ndim not in (1, None)):
        raise NotFixable("the places have more than one coordinate")
    places = _flattened(request, call)
    loop = _loop(request, places)
    first = loop.body[0]
    if places is call and not _takes_coordinate(request, first, loop.target):
        raise NotFixable("the loop does not take the coordinate first")
    body = loop.body[1:] if _takes_coordinate(request, first, loop.target) else loop.body
    if not any(_selects(request, part, loop.target) for statement in body for part in ast.walk(statement)):
        raise NotFixable("whether a turn that selects nothing changes nothing is not visible here")
    content = f"{request.builtin('range')}({request.operand(condition)}.shape[0])"
    verdict = Verdict(DISPLAY, NOTHING, f"Run the loop for every place: `{request.shown(content)}`")
    dropped = request.delete(first, verdict).changes if body is not loop.body else ()
    return Rewrite(DISPLAY, verdict.message, verdict.why, (Replaced(places, content), *dropped))


def _flattened(request: FixRequest, call: ast.expr) -> ast.expr:
    """The call with the `.squeeze(…)` or `.flatten()` behind it."""
    method = request.scope.parent(call)
    outer = request.scope.parent(method) if method is not None else None
    flat = isinstance(method, ast.Attribute) and method.attr in ("squeeze", "flatten", "view", "reshape")
    return outer if flat and isinstance(outer, ast.Call) and outer.func is method else call


def _loop(request: FixRequest, places: ast.expr) -> ast.For:
    """The only use of the places: a loop over them, by name or not."""
    around = request.scope.parent(places)
    if (name := single_name(around)) is not None:
        loads, stores = request.scope.loads(name), request.scope.stores(name)
        around = request.scope.parent(loads[0]) if len(loads) == len(stores) == 1 else None
        places = loads[0] if loads else places
    if not isinstance(around, ast.For) or around.iter is not places or not isinstance(around.target, ast.Name):
        raise NotFixable("the places are used for more than a loop")
    return around


def _takes_coordinate(request: FixRequest, statement: ast.stmt, target: ast.expr) -> bool:
    """`k = k[0]`, `k = k.item()`, `k = k[0].item()`."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    taken = matched(request, value, "{k}[0].item()", "{k}[0]", "{k}.item()")
    names = [single_name(statement), *(each.id for each in (taken or {}).values() if isinstance(each, ast.Name))]
    return isinstance(target, ast.Name) and names == [target.id, target.id]


def _selects(request: FixRequest, node: ast.AST, target: ast.expr) -> bool:
    """Whether a part of the body is `torch.where(mask[k])` or `mask[k].nonzero()`."""
    split = operation(request, node) if isinstance(node, ast.Call) else None
    if split is None or split[0] not in ("where", "nonzero") or len(split[1]) != 1:
        return False
    row = split[1][0]
    while isinstance(row, ast.Call) and isinstance(row.func, ast.Attribute):
        row = row.func.value
    indexed = row.slice if isinstance(row, ast.Subscript) else None
    return isinstance(indexed, ast.Name) and isinstance(target, ast.Name) and indexed.id == target.id
