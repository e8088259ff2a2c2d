"""Loops over places that compute with the rows a mask selects for each: with all rows, and the mask selects results."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from breaklint.analysis.literals import integer, same_code
from breaklint.analysis.queries import Doubt
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.masks.empty_iterations import SELECTING
from breaklint.fixes.masks.mixed_rows import check_apart
from breaklint.fixes.masks.scaled_rows import check_scaled
from breaklint.fixes.protocol import Draft, Match, Steps, fix
from breaklint.fixes.rewrite import Change, Put
from breaklint.interp.values import Tensor
from breaklint.model import Edit
from breaklint.project.scope import single_target
from breaklint.project.walking import walk
from breaklint.rules.compiler_options import is_set

COUNTS = ("{x}.numel()", "{x}.nelement()", "{x}.shape[0]", "{x}.size(0)", "len({x})")
NONE = tuple(f"{each} == 0" for each in COUNTS) + tuple(f"not {each}" for each in COUNTS)
ANY = tuple(f"{each}{more}" for each in COUNTS for more in ("", " > 0", " != 0"))
OPTION = "torch._dynamo.config.capture_dynamic_output_shape_ops"
MESSAGE = "Compute with all rows, and select by a mask"
WHY = (
    "every place computes with all rows, and a mask takes the results of those that it selects: as many times the "
    "work as there are places for each that selects a row (with the key `capture-options` each runs on its own rows "
    "instead); what is called gets the other rows too, so that what mixes rows (batch norm in training), counts "
    "them or draws random numbers gives other results, as does a NaN gradient of a row that is left out; weights of "
    "places without rows get gradients of zeros where they got none, and a place whose numbers cancel takes part; "
    "sums round otherwise; a row that one place selects twice is added twice by `y[rows] += v` too; a factor that "
    "is read by row and column has to have the shape of the mask, or it raises"
)


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn does: `names` are bound by the statement that selects, `row` is the row of the mask it looks at."""

    selecting: ast.stmt
    names: tuple[ast.Name, ...]
    row: ast.expr
    rest: tuple[ast.stmt, ...]


@fix("moe-dense-dispatch")
def moe_dense_dispatch(m: Match) -> Steps:
    """A loop over experts, each with the rows that a mask selects for it -> each with all rows."""
    if not isinstance(m.request.node, ast.Call):
        raise NotFixable
    try:
        changes = _selected_here(m.request, m.request.node)
    except NotFixable:
        raise NotFixable from None  # most calls of torch.where are no such loop: another reason says more
    yield Doubt(WHY)
    return Draft(MESSAGE, changes)


def _selected_here(request: FixRequest, call: ast.Call) -> tuple[Change, ...]:
    """The same where nothing is asked before: `i, rows = torch.where(m[k])` in a loop over all places, or in none.

    A question whether any row is selected goes. Raises NotFixable where there is none and an option lets the sizes in,
    which computes no more than the rows that are selected.
    """
    statement = request.statement(call)
    place, target = request.scope.block(statement), single_target(statement)
    listed = request.matched(call, *SELECTING)
    if (
        place is None
        or listed is None
        or not isinstance(target, ast.Tuple)
        or request.scope.parent(call) is not statement
    ):
        raise NotFixable("it does not list rows by name")
    for outer in request.scope.parents(statement):
        if isinstance(outer, ast.For) and isinstance(request.value(outer.iter), Tensor):
            raise NotFixable("data says how often the loop around it runs")
    block, index = place
    names = {part.id for part in target.elts if isinstance(part, ast.Name)}
    rest = block[index + 1 :]
    asked = rest[0] if rest and isinstance(rest[0], ast.If) and not rest[0].orelse else None
    around = asked if asked is not None and _asks(request, asked.test, names, ANY) else None
    if around is not None:
        rest = around.body
    elif asked is not None and isinstance(asked.body[0], ast.Continue) and _asks(request, asked.test, names, NONE):
        rest = rest[1:]  # without rows nothing is added
    elif request.settings.capture_options or is_set(request.project, request.module, OPTION):
        raise NotFixable("an option lets the selected rows into the graph")
    ends = [at for at, each in enumerate(rest) if _is_store(each) and _names(each) & names]
    if not ends or (around is not None and ends[0] + 1 != len(rest)):
        raise NotFixable("the selected rows are not added to a tensor")
    body = [statement, *rest[: ends[0] + 1]]
    imports, lines = on_all_rows(request, body, listed["row"])
    _check_left(request, body, set(walk(asked.test)) if asked is not None else set())
    return (*imports, Put(statement, around or body[-1], lines))


def _asks(request: FixRequest, test: ast.expr, names: set[str], patterns: tuple[str, ...]) -> bool:
    """Whether a test asks how many rows are selected."""
    found = request.matched(test, *patterns)
    counted = found["x"] if found is not None else None
    return isinstance(counted, ast.Name) and counted.id in names


def _check_left(request: FixRequest, body: list[ast.stmt], asked: set[ast.AST]) -> None:
    """Raise NotFixable where statements do more than to bind names that only they read, and to store.

    What asks how many rows there are is left out: it goes.
    """
    bound: set[str] = set()
    for position, statement in enumerate(body[:-1]):
        target = single_target(statement) if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        later = asked.union(*map(walk, body[position + 1 :]))
        for name in (part.id if isinstance(part, ast.Name) else "" for part in parts):
            if not name or request.scope.shares(name) or (isinstance(statement, ast.AugAssign) and name not in bound):
                raise NotFixable("something else happens among what is done with the selected rows")
            if name not in bound and any(each not in later for each in request.scope.loads(name)):
                raise NotFixable("what is done with the selected rows is read elsewhere")
            bound.add(name)


def on_all_rows(request: FixRequest, body: list[ast.stmt], row: ast.expr) -> tuple[tuple[Edit, ...], str]:
    """`i, rows = torch.where(m[k]); y.index_add_(0, rows, f(x[rows]) * w[rows, i, None])` without a size from data.

    Every turn takes all rows, the factor is the sum of what the mask selects of it, and what is added is 0 elsewhere.
    Gives the imports and the lines of the turn; raises NotFixable where it is of another form.
    """
    turn = _turn(request, body, row)
    stores = [part for part in turn.rest if _is_store(part)]
    if len(stores) != 1:
        raise NotFixable("a turn does not add to its rows once")
    place, value, stored = _stored(stores[0])
    rows = next((each for each in turn.names if each.id == place.id), None)
    if rows is None:
        raise NotFixable("what is added is not added to the rows that are selected")
    check_apart(request, turn.rest, [each.id for each in turn.names], rows.id)
    torch, imports = request.name_of("torch")
    mask = next((each for each in ("chosen", "taken", "picked") if _is_free(request, each)), None)
    if mask is None:
        raise NotFixable("the names for the mask mean something else here")
    axis = turn.names.index(rows)
    selecting = f"{mask} = {request.operand(turn.row)}.bool()\n"
    selecting += f"{rows.id} = {torch}.arange({mask}.shape[{axis}], device={mask}.device)"
    lines = {each: request.code(each) for each in body} | {turn.selecting: selecting}
    hit, wide, given = mask, _ones(request, stored), request.code(value)
    if len(turn.names) == 2:
        if isinstance(stores[0], ast.Assign):
            raise NotFixable("of a row that is selected twice one value is stored")
        hit = f"{mask}.any({1 - axis})"
        scaled = check_scaled(request, turn.rest, value, turn.names[1 - axis].id, rows.id)
        across = f"{mask}.T" if scaled.column == axis else mask
        factor = f"{torch}.where({across}, {request.code(scaled.factor)}, 0).sum({scaled.column}){scaled.trailing}"
        wide = scaled.trailing or wide
        if scaled.read in walk(value):
            given = request.code(request.code_with(value, {scaled.read: factor}))
        else:
            lines[scaled.statement] = request.code_with(scaled.statement, {scaled.read: factor})
    other = "0" if not isinstance(stores[0], ast.Assign) else f"{request.code(stored)}[{rows.id}]"
    lines[stores[0]] = request.code_with(stores[0], {value: f"{torch}.where({hit}{wide}, {given}, {other})"})
    return imports, "\n".join(lines.values())


def _turn(request: FixRequest, body: list[ast.stmt], row: ast.expr) -> Turn:
    """The statement of a turn that lists the selected rows, and those behind it."""
    for position, statement in enumerate(body):
        target = single_target(statement)
        read = [part for part in walk(statement) if isinstance(part, ast.expr) and same_code(part, row)]
        if target is None or not read:
            continue
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        names = tuple(each for each in parts if isinstance(each, ast.Name))
        if len(names) == len(parts) and len({each.id for each in names}) == len(names) <= 2:
            return Turn(statement, names, read[0], tuple(body[position + 1 :]))
    raise NotFixable("no turn lists the rows that its place selects")


def _is_store(statement: ast.stmt) -> bool:
    """Whether a statement stores rows: the others bind names of the turn."""
    target = single_target(statement) if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    return isinstance(statement, ast.Expr) or isinstance(target, ast.Subscript)


def _stored(statement: ast.stmt) -> tuple[ast.Name, ast.expr, ast.expr]:
    """The rows, the value and the tensor of `y.index_add_(0, rows, v)`, `y[rows] += v` and `y[rows] = v`."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "index_add_":
        plain = len(call.args) == 3 and not call.keywords and integer(call.args[0]) == 0
        if plain and isinstance(call.args[1], ast.Name):
            return call.args[1], call.args[2], call.func.value
    target = single_target(statement) if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    summed = isinstance(statement, ast.Assign) or isinstance(getattr(statement, "op", None), ast.Add)
    if summed and isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Name):
        assert isinstance(statement, ast.Assign | ast.AugAssign)
        return target.slice, statement.value, target.value
    raise NotFixable("rows are stored in another way than by adding")


def _ones(request: FixRequest, stored: ast.expr) -> str:
    """What makes a mask of rows as wide as the tensor that is added to."""
    tensor = request.tensor(stored)
    if tensor is not None and tensor.ndim is not None:
        return "" if tensor.ndim == 1 else f"[:, {', '.join(['None'] * (tensor.ndim - 1))}]"
    return f".view(-1, *[1] * ({request.operand(stored)}.dim() - 1))"


def _is_free(request: FixRequest, name: str) -> bool:
    return not (request.scope.binds(name) or request.scope.loads(name) or name in request.module.names)


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}
