"""Loops over the experts that data selects: `for k in (mask.sum((-1, -2)) > 0).nonzero():`."""

from __future__ import annotations

import ast
from itertools import islice
from typing import NamedTuple

from breaklint.analysis.literals import integer
from breaklint.analysis.shapes import operation
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.branches.conditions import branch_of
from breaklint.interp.values import Tensor
from breaklint.project.scope import single_name
from breaklint.project.syntax import arguments, name_of_variable, negated
from breaklint.project.walking import variables_in, walk

FINDING = ("nonzero", "argwhere")
# No schema says that a method gives the elements in their order.
FLATTENED = tuple(f"{{places}}.{method}({{*size}})" for method in ("squeeze", "flatten", "view", "reshape"))
READS = ("{k}[0].item()", "{k}.item()")
SIZED = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
INTEGRAL = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
REDUCED = ("torch.greater({sum}, 0)", "torch.gt({sum}, 0)", "{sum} > 0", "{sum} != 0")


class Hits(NamedTuple):
    """A loop over the rows of a mask that hold anything.

    `row` is how the body writes the row of the mask, of `dims` dimensions, and `over` what the loop over all rows runs
    over. `listing` is the statement that lists the hits, which may be the loop.
    """

    loop: ast.For
    listing: ast.stmt
    body: list[ast.stmt]
    row: ast.expr
    dims: int
    over: str


def hits_of(request: FixRequest) -> Hits | None:
    """The loop whose hits the flagged call lists, or around the flagged branch; None where there is none.

    Raises NotFixable for a loop that does more with a hit than to take it as an index.
    """
    branch = branch_of(request)
    call = request.node if branch is None else _listed_around(request, branch)
    split = operation(request, call) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or split is None or split[0] not in FINDING:
        return None
    places, loop = _loop(request, call)
    if loop is None:
        return None
    asked, place = _asked(request, split[1][0]) if len(split[1]) == 1 else None, loop.target
    if asked is None or loop.orelse or not isinstance(place, ast.Name) or not _is_own(request, loop, place.id):
        raise NotFixable("the loop is not known to run for the rows of a mask that hold anything")
    mask, dims = asked
    taken = _takes_coordinate(request, loop.body[0], place)
    body = loop.body[1:] if taken else loop.body
    is_list = not taken and places is call  # a row of `nonzero` is a list of one place
    reads = [part for each in body for part in walk(each) if isinstance(part, ast.Name) and part.id == place.id]
    is_read = taken and request.matched(getattr(loop.body[0], "value", None), *READS) is not None
    fits = _is_listed_number if is_list else _is_number
    if not is_read and not all(fits(request, each) for each in reads):
        raise NotFixable("the places are used for more than an index")
    over = f"{request.builtin('range')}({mask}.shape[0])"
    if is_list:
        number = next((each for each in ("place", "number", "row") if not request.scope.binds(each)), None)
        if number is None or request.scope.loads(number):
            raise NotFixable("the names for a place mean something else here")
        over = f"[[{number}] for {number} in {over}]"
    row = ast.parse(f"{mask}[{place.id}]{'.squeeze(0)' * is_list}", mode="eval").body
    return Hits(loop, request.statement(places), body, row, dims, over)


def _asked(request: FixRequest, condition: ast.expr) -> tuple[str, int] | None:
    """The mask `m` of `m.sum(dim=(-1, -2)) > 0` or `m.any(-1)`, and how many dimensions a row of it has.

    None for any other test, and where `m` may change.
    """
    found = request.matched(condition, *REDUCED)
    reduced = found["sum"] if found is not None else condition
    method = reduced.func if isinstance(reduced, ast.Call) else None
    if not isinstance(reduced, ast.Call) or not isinstance(method, ast.Attribute):
        return None
    short = (operation(request, reduced) or (method.attr, []))[0]
    mask, dims = method.value, arguments(reduced)
    if short != ("any" if found is None else "sum") or not isinstance(mask, ast.Name) or len(dims) != 1:
        return None
    later = [each for each in request.scope.loads(mask.id) if request.flow.may_precede(mask, each)]
    kept = not any(request.flow.may_precede(mask, each) for each in request.scope.stores(mask.id))
    kept = kept and not request.scope.shares(mask.id) and all(_is_read(request, each) for each in later)
    places = {integer(node) for node in (dims[0].elts if isinstance(dims[0], ast.Tuple) else dims)}
    return (mask.id, len(places)) if kept and places in ({-1}, {-1, -2}, {1}, {1, 2}) else None


def _is_read(request: FixRequest, load: ast.Name) -> bool:
    around = request.scope.parent(load)
    read = isinstance(around, ast.Subscript) and around.value is load and isinstance(around.ctx, ast.Load)
    return read or asks_form(request, load)


def asks_form(request: FixRequest, load: ast.Name) -> bool:
    """Whether a tensor is asked for its shape, device or dtype alone."""
    around = request.scope.parent(load)
    return isinstance(around, ast.Attribute) and around.attr in ("shape", "device", "dtype")


def _listed_around(request: FixRequest, branch: ast.If) -> ast.expr | None:
    """`found.nonzero()` of `for k in found.nonzero(): … if k == n: continue`."""
    names = variables_in(branch.test)
    for around in request.scope.parents(branch):
        if isinstance(around, ast.For) and isinstance(around.target, ast.Name) and around.target.id in names:
            places = around.iter
            if isinstance(places, ast.Name):
                stores = request.scope.stores(places.id)
                made = request.scope.parent(stores[0]) if len(stores) == 1 else None
                places = made.value if isinstance(made, ast.Assign) else places
            return (request.matched(places, *FLATTENED) or {"places": places})["places"]
    return None


def _loop(request: FixRequest, call: ast.Call) -> tuple[ast.expr, ast.For | None]:
    """The call with the `.squeeze(…)` behind it, and the loop that is its only use, by name or not."""
    outer = next(islice(request.scope.parents(call), 1, None), None)
    flat = request.matched(outer, *FLATTENED)
    places = outer if flat is not None and flat["places"] is call and isinstance(outer, ast.expr) else call
    looped, around = places, request.scope.parent(places)
    if (name := single_name(around)) is not None:
        loads, stores = request.scope.loads(name), request.scope.stores(name)
        around = request.scope.parent(loads[0]) if len(loads) == len(stores) == 1 else None
        looped = loads[0] if loads else places
    return places, around if isinstance(around, ast.For) and around.iter is looped else None


def _is_own(request: FixRequest, loop: ast.For, name: str) -> bool:
    """Whether a name is bound by the loop alone, and read in it alone."""
    inside = set(walk(loop))
    return all(each in inside for each in (*request.scope.stores(name), *request.scope.loads(name)))


def _takes_coordinate(request: FixRequest, statement: ast.stmt, target: ast.Name) -> bool:
    """`k = k[0]`, `k = k.item()`, `k = k[0].item()`."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    taken = request.matched(value, "{k}[0]", *READS)
    return single_name(statement) == target.id == name_of_variable((taken or {}).get("k"))


def _is_listed_number(request: FixRequest, read: ast.Name) -> bool:
    """Whether a row of places is an index, or gives its place, where a list of one number does as well."""
    around = request.scope.parent(read)
    if not isinstance(around, ast.Subscript) or not isinstance(around.ctx, ast.Load):
        return False
    if around.slice is read:
        return isinstance(around.value, ast.Name)
    return integer(around.slice) == 0 and _is_number(request, around)


def _is_number(request: FixRequest, read: ast.expr) -> bool:
    """Whether a place is used where a Python number does what a tensor of one does: as an index, in a comparison that
    decides a branch, in text, in sums and products of these or with a tensor."""
    around = request.scope.parent(read)
    if isinstance(around, ast.Subscript):
        return around.slice is read
    if isinstance(around, ast.FormattedValue):
        return around.conversion == -1 and around.format_spec is None
    if isinstance(around, ast.BinOp) and isinstance(around.op, INTEGRAL):
        other = around.right if around.left is read else around.left
        return isinstance(request.value(other), Tensor) or _is_number(request, around)
    return isinstance(around, ast.Compare) and _decides(request, around)


def _decides(request: FixRequest, test: ast.Compare) -> bool:
    """Whether a comparison that does not ask which object it is is asked for its truth, or computed with beside a
    tensor."""
    node: ast.AST = test
    for around in request.scope.parents(test):
        if not isinstance(around, ast.BoolOp) and negated(around) is None:
            break
        node = around
    outer = request.scope.parent(node)
    found = zip(test.ops, test.comparators, strict=True)  # a set or dict asks for the hash of a tensor
    sized = all(isinstance(op, SIZED) or isinstance(other, (ast.Tuple, ast.List)) for op, other in found)
    if isinstance(outer, ast.BinOp) and isinstance(outer.op, (ast.Add, ast.Mult)) and node is test:
        return sized and isinstance(request.value(outer.right if outer.left is test else outer.left), Tensor)
    return sized and isinstance(outer, (ast.If, ast.IfExp)) and outer.test is node
