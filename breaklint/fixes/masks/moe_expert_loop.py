"""Loops over the places where a condition holds, as often as the data says: over all places."""

from __future__ import annotations

import ast
from contextlib import suppress
from textwrap import indent

from breaklint.analysis.literals import integer
from breaklint.analysis.queries import Doubt
from breaklint.analysis.shapes import operation
from breaklint.fixes.base import DISPLAY, FixRequest, NotFixable
from breaklint.fixes.branches.conditions import branch_of
from breaklint.fixes.masks.empty_iterations import asked_of, changes_nothing
from breaklint.fixes.masks.moe_dense_dispatch import MESSAGE, OPTION, on_all_rows
from breaklint.fixes.masks.moe_dense_dispatch import WHY as ALL
from breaklint.fixes.options.set_option import for_the_program, option_edits
from breaklint.fixes.protocol import Draft, Match, Steps, fix
from breaklint.fixes.rewrite import Change, Deleted, Put, Replaced
from breaklint.project.scope import single_name
from breaklint.project.walking import walk
from breaklint.rules.compiler_options import is_set

FINDING = ("nonzero", "argwhere")
# No schema says that a method gives the elements in their order.
FLATTENING = ("squeeze", "flatten", "view", "reshape")
INDENT = "    "
NOTHING = "every place gets its turn: the same where a turn that selects nothing changes nothing"
WHY = (
    "every place gets its turn: modules and functions are called with no rows for those that were left out, so that "
    "their weights get gradients of zeros where they got none, and what refuses an empty tensor raises; so does "
    "a place whose numbers cancel; the option that keeps the selected rows in the graph holds for all that the "
    "program compiles, where other code may fail to compile instead of breaking the graph, and importing the file "
    "loads the compiler"
)


@fix("moe-expert-loop")
def moe_expert_loop(m: Match) -> Steps:
    """A loop over the places that a condition finds, or a branch in one -> a loop over all places."""
    request, branch = m.request, branch_of(m.request)
    call = request.node if branch is None else _around_branch(request, branch)
    split = operation(request, call) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or split is None or split[0] not in FINDING:
        raise NotFixable
    return (yield from _over_all(m, call, split[1]))


def _around_branch(request: FixRequest, branch: ast.If) -> ast.expr | None:
    """`found.nonzero()` of `for k in found.nonzero(): … if k == n: continue`."""
    names = {part.id for part in walk(branch.test) if isinstance(part, ast.Name)}
    for around in request.scope.parents(branch):
        if isinstance(around, ast.For) and isinstance(around.target, ast.Name) and around.target.id in names:
            places = around.iter
            if isinstance(places, ast.Name):
                stores = request.scope.stores(places.id)
                made = request.scope.parent(stores[0]) if len(stores) == 1 else None
                places = made.value if isinstance(made, ast.Assign) else places
            return _listed(places)
    return None


def _listed(places: ast.expr) -> ast.expr:
    """The call of nonzero behind `.squeeze(…)`."""
    if (
        isinstance(places, ast.Call)
        and isinstance(places.func, ast.Attribute)
        and places.func.attr in ("squeeze", "flatten")
    ):
        return places.func.value
    return places


def _over_all(m: Match, call: ast.Call, found: list[ast.expr]) -> Steps:
    """`hits = (m.sum(-1) > 0).nonzero()`, `for k in hits: k = k[0]; …` -> `for k in range(m.shape[0]): …`.

    It is shown only where a turn without rows is not known to change nothing. Raises NotFixable where the loop does
    more with the places than to take each as an index.
    """
    request, condition = m.request, found[0]
    tensor = request.tensor(condition)
    if len(found) != 1 or (tensor is not None and tensor.ndim not in (1, None)):
        raise NotFixable("the places have more than one coordinate")
    places = _flattened(request, call)
    loop = _loop(request, places)
    if (written := _written(request, condition, places, loop)) is not None:
        yield Doubt(written[0])
        return written[1]
    first = loop.body[0]
    if places is call and not _takes_coordinate(request, first, loop.target):
        raise NotFixable("the loop does not take the coordinate first")
    body = loop.body[1:] if _takes_coordinate(request, first, loop.target) else loop.body
    if not any(_selects(request, part, loop.target) for statement in body for part in walk(statement)):
        raise NotFixable("whether a turn that selects nothing changes nothing is not visible here")
    content = f"{request.builtin('range')}({request.operand(condition)}.shape[0])"
    yield Doubt(NOTHING)
    dropped = (Deleted(first),) if body is not loop.body else ()
    message = f"Run the loop for every place: `{request.shown(content)}`"
    return Draft(message, (Replaced(places, content), *dropped), shown=True)


def _written(request: FixRequest, condition: ast.expr, places: ast.expr, loop: ast.For) -> tuple[str, Draft] | None:
    """The loop over all rows of the mask that the condition asks, where those without a hit change nothing; and what
    may differ."""
    asked, place = asked_of(request, condition), loop.target
    if asked is None or loop.orelse or not isinstance(place, ast.Name) or not _is_own(request, loop, place.id):
        return None
    taken = _takes_coordinate(request, loop.body[0], place)
    body = loop.body[1:] if taken else loop.body
    listed = not taken and _flattened(request, _listing(places)) is _listing(places)
    reads = [part for each in body for part in walk(each) if isinstance(part, ast.Name) and part.id == place.id]
    plain = all(_is_row_or_first(request, each) if listed else _is_number(request, each) for each in reads)
    mask = asked.mask.id
    row = ast.parse(f"{mask}[{place.id}].squeeze(0)" if listed else f"{mask}[{place.id}]", mode="eval").body
    if not plain or not changes_nothing(request, body, asked, row):
        return None
    count = f"{request.builtin('range')}({mask}.shape[0])"
    made = request.scope.statement(places)
    changes: list[Change] = [] if made is loop or made is None else [Deleted(made)]
    has_option = is_set(request.project, request.module, OPTION)
    if listed:  # a row of `nonzero` is a list of one place
        number = next((each for each in ("place", "number", "row") if not request.scope.binds(each)), None)
        if number is None or request.scope.loads(number):
            return None
        count = f"[[{number}] for {number} in {count}]"
    if not has_option and for_the_program(request, OPTION) is DISPLAY:
        with suppress(NotFixable):
            imports, lines = on_all_rows(request, body, row)
            changes.append(Put(loop, loop, f"for {place.id} in {count}:\n{indent(lines, INDENT)}"))
            return ALL, Draft(MESSAGE, (*imports, *changes))
    lines = "\n".join(map(request.code, body))
    changes.append(Put(loop, loop, f"for {place.id} in {count}:\n{indent(lines, INDENT)}"))
    option = () if has_option else option_edits(request, OPTION)
    message = f"Run the loop for every place, with `{OPTION} = True`"
    shown = bool(option) and for_the_program(request, OPTION) is DISPLAY
    return WHY, Draft(message, (*option, *changes), shown)


def _listing(places: ast.expr) -> ast.expr:
    """The call of `nonzero` itself, without the `.squeeze(…)` behind it."""
    inner = places.func.value if isinstance(places, ast.Call) and isinstance(places.func, ast.Attribute) else places
    flat = isinstance(places, ast.Call) and isinstance(places.func, ast.Attribute) and places.func.attr in FLATTENING
    return inner if flat and isinstance(inner, ast.Call) else places


def _is_own(request: FixRequest, loop: ast.For, name: str) -> bool:
    """Whether a name is bound by the loop alone, and read in it alone."""
    inside = set(walk(loop))
    return all(each in inside for each in (*request.scope.stores(name), *request.scope.loads(name)))


def _is_row_or_first(request: FixRequest, read: ast.Name) -> bool:
    """Whether a row of places is an index, or gives its place, where a list of one number does as well."""
    around = request.scope.parent(read)
    if not isinstance(around, ast.Subscript) or not isinstance(around.ctx, ast.Load):
        return False
    if around.slice is read:
        return isinstance(around.value, ast.Name) and request.scope.parent(around) is not None
    return integer(around.slice) == 0 and _is_number(request, around)


def _is_number(request: FixRequest, read: ast.expr) -> bool:
    """Whether a place is used where a Python number does what a tensor of one does."""
    around = request.scope.parent(read)
    if isinstance(around, ast.Subscript):
        return around.slice is read
    return isinstance(around, ast.Compare | ast.FormattedValue | ast.BinOp)


def _flattened(request: FixRequest, call: ast.expr) -> ast.expr:
    """The call with the `.squeeze(…)` or `.flatten()` behind it."""
    method = request.scope.parent(call)
    outer = request.scope.parent(method) if method is not None else None
    flat = isinstance(method, ast.Attribute) and method.attr in FLATTENING
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
    taken = request.matched(value, "{k}[0].item()", "{k}[0]", "{k}.item()")
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
