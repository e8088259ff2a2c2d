"""Rewrites a loop over experts so that each expert runs on all rows and a mask selects its results."""

from __future__ import annotations

import ast
from textwrap import indent

from breaklint.analysis.literals import same_code
from breaklint.analysis.queries import Doubt
from breaklint.fixes.base import DISPLAY, FixRequest, NotFixable
from breaklint.fixes.masks.all_rows import is_store, on_all_rows
from breaklint.fixes.masks.expert_hits import Hits, hits_of
from breaklint.fixes.masks.stacked_experts import as_one_call
from breaklint.fixes.options.set_option import for_the_program, option_edits
from breaklint.fixes.protocol import Draft, Match, Steps, fix
from breaklint.fixes.rewrite import Change, Deleted, Put
from breaklint.interp.values import Tensor
from breaklint.project.scope import single_target
from breaklint.project.walking import variables_in, walk
from breaklint.rules.compiler_options import is_set

COUNTS = ("{x}.numel()", "{x}.nelement()", "{x}.shape[0]", "{x}.size(0)", "len({x})")
NONE = tuple(f"{each} == 0" for each in COUNTS) + tuple(f"not {each}" for each in COUNTS)
ANY = tuple(f"{each}{more}" for each in COUNTS for more in ("", " > 0", " != 0"))
SELECTING = ("torch.where({row})", "torch.nonzero({row}, as_tuple=True)", "{row}.nonzero(as_tuple=True)")
INDENT = "    "
OPTION = "torch._dynamo.config.capture_dynamic_output_shape_ops"
MESSAGE = "Compute with all rows, and select by a mask"
AT_ONCE = "Compute all experts at once with `torch.vmap`, and select by a mask"
WHY = (
    "every place computes with all rows, and a mask takes the results of those that it selects: as many times the "
    "work as there are places for each that selects a row (with the key `capture-options` each runs on its own rows "
    "instead); what is called gets the other rows too, so that what mixes rows (batch norm in training), counts "
    "them or draws random numbers gives other results, what refuses some of them raises, what refuses none no longer "
    "does, and what prints or warns does so for each place; so does a NaN gradient of a row that is left out; weights "
    "of places without rows, and the rows where nothing is selected, get gradients of zeros where they got none: then "
    "a leaf or a saved tensor that is stored into raises; a place whose numbers cancel takes part; a mask with more "
    "columns than there are rows raises; "
    "sums round otherwise; a row that one place selects twice is added twice by `y[rows] += v` too; a factor that "
    "is read by row and column has to have the shape of the mask, or it raises"
)
EVERY = (
    "every place gets its turn: modules and functions are called with no rows for those that were left out, so that "
    "their weights get gradients of zeros where they got none, and what refuses an empty tensor raises; so does "
    "a place whose numbers cancel; the option that keeps the selected rows in the graph holds for all that the "
    "program compiles, where other code may fail to compile instead of breaking the graph, and importing the file "
    "loads the compiler"
)
STACKED = (
    "all experts are computed at once, which takes memory for the results of each; what is done with a weight runs "
    "under `torch.vmap`, where code that asks for the numbers of a tensor, or changes what all experts share, raises, "
    "as do autograd functions without `setup_context`, and what prints does so once; weights that are changed before "
    "backward are no error; stacks of different lengths raise, and values of another dtype or shape, which "
    "`index_add_` refuses, are added"
)
SKIPPED = "an expert that the loop passes over, and that has weights, takes part"


@fix("moe-experts")
def moe_experts(m: Match) -> Steps:
    """`for k in hit: i, rows = torch.where(mask[k]); y.index_add_(0, rows, f(x[rows]) * w[rows, i, None])` -> each
    expert computes with all rows, and the mask selects what is added; with consent to the option, with its own rows."""
    request = m.request
    hits = hits_of(request)
    if hits is not None:
        sparse = is_set(request.project, request.module, OPTION)
        sparse = sparse or for_the_program(request, OPTION) is not DISPLAY
        draft, why = _over_all(request, hits, sparse)
        yield Doubt(why)
        return draft
    if not isinstance(request.node, ast.Call):
        raise NotFixable
    try:
        changes = _selected_here(request, request.node)
    except NotFixable:
        raise NotFixable from None  # most calls of torch.where are no such loop: another reason says more
    yield Doubt(WHY)
    return Draft(MESSAGE, changes)


def _over_all(request: FixRequest, hits: Hits, sparse: bool) -> tuple[Draft, str]:
    """The loop over the rows of the mask that hold anything, for all of its rows, and what may differ.

    Where a row holds nothing, nothing is added: an iteration binds names of its own, and adds to the selected rows.
    """
    first = next((at for at, each in enumerate(hits.body) if not _skips(each)), 0)
    body = hits.body[first:]
    target = single_target(body[0])
    value = getattr(body[0], "value", None)
    one = request.matched(value, "{all}[0]") if isinstance(target, ast.Name) else None
    listed = request.matched(one["all"] if one is not None else value, *SELECTING)
    if listed is None or not same_code(listed["row"], hits.row):
        raise NotFixable("an iteration does not begin with the rows that its place selects")
    mask = request.tensor(hits.row.value) if isinstance(hits.row, ast.Subscript) else None
    names = len(target.elts) if isinstance(target, ast.Tuple) else 0
    if names != hits.dims and (mask is None or mask.ndim != hits.dims + 1):
        raise NotFixable("a row of the mask may have another number of dimensions than is asked")
    at_once = not sparse and all(_skips_one(request, each, hits.loop.target) for each in hits.body[:first])
    stacked = as_one_call(request, hits, body) if at_once else None
    if stacked is None:
        written = on_all_rows(request, body, hits.row)
        imports, lines = written.imports, written.lines
    else:
        imports, lines = stacked
    _check_left(request, body, set())
    changes: list[Change] = [] if hits.listing is hits.loop else [Deleted(hits.listing)]
    if stacked is not None:
        changes.append(Put(hits.loop, hits.loop, lines))
        return Draft(AT_ONCE, (*imports, *changes)), "; ".join([WHY, STACKED, *([SKIPPED] if first else [])])
    if sparse:
        lines = "\n".join(map(request.code, body))
        imports = () if is_set(request.project, request.module, OPTION) else option_edits(request, OPTION)
    lines = "\n".join([*map(request.code, hits.body[:first]), lines])
    assert isinstance(hits.loop.target, ast.Name)
    changes.append(Put(hits.loop, hits.loop, f"for {hits.loop.target.id} in {hits.over}:\n{indent(lines, INDENT)}"))
    message = f"Run the loop for every place, with `{OPTION} = True`" if sparse else MESSAGE
    return Draft(message, (*imports, *changes)), EVERY if sparse else WHY


def _skips(statement: ast.stmt) -> bool:
    """`if k == n: continue`."""
    return isinstance(statement, ast.If) and [type(each) for each in statement.body] == [ast.Continue]


def _skips_one(request: FixRequest, statement: ast.stmt, place: ast.expr) -> bool:
    """`if k == n: continue`, where `k` is the number of the expert."""
    found = request.matched(getattr(statement, "test", None), "{k} == {n}")
    return found is not None and same_code(found["k"], place)


def _selected_here(request: FixRequest, call: ast.Call) -> tuple[Change, ...]:
    """Where nothing is asked before: `i, rows = torch.where(m[k])` in a loop over all places, or in none.

    A question whether any row is selected goes. Raises NotFixable where there is none and an option lets the sizes in,
    which computes no more than the rows that are selected.
    """
    statement = request.statement(call)
    place, target = request.scope.block(statement), single_target(statement)
    listed = request.matched(call, *SELECTING)
    named = isinstance(target, ast.Tuple) and request.scope.parent(call) is statement
    if place is None or listed is None or not isinstance(target, ast.Tuple) or not named:
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
    ends = [at for at, each in enumerate(rest) if is_store(each) and variables_in(each) & names]
    if not ends or (around is not None and ends[0] + 1 != len(rest)):
        raise NotFixable("the selected rows are not added to a tensor")
    body = [statement, *rest[: ends[0] + 1]]
    written = on_all_rows(request, body, listed["row"])
    _check_left(request, body, set(walk(asked.test)) if asked is not None else set())
    return (*written.imports, Put(statement, around or body[-1], written.lines))


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
