"""Two repeated rows joined at a place that depends on data, as one selection over all places."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import pairwise

from breaklint.analysis.literals import integer, same_code
from breaklint.analysis.purity import is_pure
from breaklint.analysis.queries import Doubt
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Draft, Match, Steps, fix
from breaklint.fixes.rewrite import Change, Replaced
from breaklint.project.scope import single_name
from breaklint.project.syntax import name_of_variable

WHY = (
    "where a count is negative or larger than both together it selects instead of raising, tensors with fewer "
    "dimensions than counts are refused, and sums of gradients round differently"
)


@dataclass(frozen=True, slots=True)
class Part:
    """`x.unsqueeze(dim).repeat(1, count, 1)`, with how many dimensions follow that one."""

    name: str
    statement: ast.stmt
    count: ast.expr
    dim: int
    behind: int


@fix("joined-where")
def joined_where(m: Match) -> Steps:
    """`cat([a.repeat(1, k, 1), b.repeat(1, n - k, 1)], 1)` -> `where(arange(n) < k, a, b)`, both repeated n times."""
    request, statement = m.request, m.request.statement()
    part = _part(request, statement)
    place = request.scope.block(statement)
    if part is None or place is None:
        raise NotFixable(request.rule.fix_why)
    block, index = place
    near = [found for each in block[max(index - 1, 0) : index + 2] if (found := _part(request, each)) is not None]
    for first, second in pairwise(near):
        total = _total(first.count, second.count)
        joint = _joint(request, first, second, block)
        if part in (first, second) and total is not None and joint is not None and is_pure(request, first.count):
            yield Doubt(WHY)
            return Draft("Select with `torch.where`", _selected(request, first, second, total, joint))
    raise NotFixable(request.rule.fix_why)


def _part(request: FixRequest, statement: ast.stmt) -> Part | None:
    """The repeated row that a statement gives a name to."""
    name = single_name(statement)
    found = request.matched(statement, "{part} = {row}.unsqueeze({dim}).repeat({*counts})")
    if found is None or name is None or not isinstance(counts := found["counts"], ast.Tuple):
        return None
    places = [place for place, each in enumerate(counts.elts) if integer(each) != 1]
    if places != [integer(found["dim"])]:
        return None
    return Part(name, statement, counts.elts[places[0]], places[0], len(counts.elts) - places[0] - 1)


def _total(first: ast.expr, second: ast.expr) -> ast.expr | None:
    """`n` of `k` and `n - k`."""
    for count, rest in ((first, second), (second, first)):
        if isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Sub) and same_code(rest.right, count):
            return rest.left
    return None


def _joint(request: FixRequest, first: Part, second: Part, block: list[ast.stmt]) -> ast.Call | None:
    """The one place where both parts are read: where they are joined."""
    calls = {_around(request, load) for part in (first, second) for load in _reads(request, part)}
    call = calls.pop() if len(calls) == 1 else None
    if not isinstance(call, ast.Call) or request.qualified(call.func) not in ("torch.cat", "torch.concat"):
        return None
    parts = call.args[0].elts if call.args and isinstance(call.args[0], (ast.List, ast.Tuple)) else []
    dims = [integer(each) for each in (*call.args[1:], *(key.value for key in call.keywords if key.arg == "dim"))]
    same = [*map(name_of_variable, parts)] == [first.name, second.name]
    along = len(dims) == 1 and dims[0] == first.dim == second.dim and first.behind == second.behind
    return call if same and along and request.scope.statement(call) in block else None


def _reads(request: FixRequest, part: Part) -> list[ast.Name]:
    """Where the name of a part is read, as long as it holds that part."""
    loads = request.scope.loads(part.name)
    return [load for load in loads if request.definition(load.id, load).statement is part.statement]


def _around(request: FixRequest, load: ast.Name) -> ast.AST | None:
    around = request.scope.parent(load)
    return request.scope.parent(around) if isinstance(around, (ast.List, ast.Tuple)) else around


def _selected(request: FixRequest, first: Part, second: Part, total: ast.expr, joint: ast.Call) -> tuple[Change, ...]:
    torch, imports = request.name_of("torch")
    n, count = request.code(total), request.operand(first.count)
    mask = f"{torch}.arange({n}, device={first.name}.device) < {count}"
    mask = f"({mask})[:{', None' * first.behind}]" if first.behind else mask
    content = f"{torch}.where({mask}, {first.name}, {second.name})"
    return (*imports, Replaced(first.count, n), Replaced(second.count, n), Replaced(joint, content))
