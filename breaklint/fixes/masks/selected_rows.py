"""Rows that a condition selects, that run through layers and are stored back: all rows run, and a mask selects."""

from __future__ import annotations

import ast
from typing import NamedTuple

from breaklint.analysis.batching import takes_all_rows
from breaklint.analysis.literals import integer, is_all
from breaklint.analysis.shapes import operation
from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Rewrite, Verdict, codemod
from breaklint.fixes.masks.row_wise import RowWise
from breaklint.fixes.rewrite import Change, Replaced
from breaklint.interp.callables import Function
from breaklint.interp.objects import class_of
from breaklint.model import Span
from breaklint.project.module import FunctionInfo
from breaklint.project.scope import single_name, single_target
from breaklint.project.spans import span_of, text_at
from breaklint.project.walking import walk

WHY = (
    "the layers run on all rows, also on those that are not selected and where none is: what mixes rows (batch norm in "
    "training) gives other values, dropout draws for all of them, an infinity or NaN of another row reaches the "
    "gradient, and hooks see all rows; gradients round differently, and that of a row which the condition selects "
    "several times counts once; a condition without dimensions, or of another length than the tensors, raises; values "
    "of another dtype are converted instead of refused, and an expanded tensor raises"
)
WHY_PASSED = "; the function takes a mask in place of indices, from every caller"
MESSAGE = "Run all rows, and store those that the mask selects"
DEPTH = 3  # of functions that hand the indices on


class Uses(NamedTuple):
    """The name under which a function has the indices, in that function, and where it reads them."""

    request: FixRequest
    name: str
    loads: list[ast.Name]
    passed: bool = False


@codemod
def selected_rows(request: FixRequest) -> Rewrite | None:
    """`k = torch.where(c)[0]`, `y[k] = f(x[k])` -> `k = c…any(1)`, `y[:] = torch.where(k, f(x.clone()), y)`.

    The indices may be passed to one function of the file first. None where the call gives no such indices; raises
    NotFixable where they are used for more.
    """
    call = request.node
    condition, found = _indices(request, call) if isinstance(call, ast.Call) else (None, None)
    statement = request.scope.parent(found) if found is not None else None
    name = single_name(statement)
    if condition is None or found is None or name is None:
        return None
    stored = [request.scope.parent(each) for each in request.scope.stores(name)]
    if any(each is not statement and request.matched(getattr(each, "value", None), "None") is None for each in stored):
        return None
    uses = _followed(Uses(request, name, request.scope.loads(name)))
    torch, imports = request.name_of("torch")
    changes = _changes(uses, torch)
    whole = request.tensor(condition)
    mask = request.operand(condition)
    if not isinstance(condition, ast.Compare) and (whole is None or whole.dtype != "bool"):
        mask = f"({mask} != 0)"
    if whole is None or whole.ndim != 1:
        mask = f"{mask}.unsqueeze(-1).flatten(1).any(1)"
    verdict = Verdict(UNSAFE, WHY + (WHY_PASSED if uses.passed else ""), MESSAGE)
    return verdict.rewrite(*imports, Replaced(found, mask), *changes)


def _indices(request: FixRequest, call: ast.Call) -> tuple[ast.expr | None, ast.expr | None]:
    """The condition of `torch.where(c)[0]` or `c.nonzero(as_tuple=True)[0]`, and the whole."""
    split = operation(request, call)
    around = request.scope.parent(call)
    first = isinstance(around, ast.Subscript) and around.value is call and integer(around.slice) == 0
    if split is None or len(split[1]) != 1 or not first or not isinstance(around, ast.Subscript):
        return None, None
    options = [(each.arg, getattr(each.value, "value", None)) for each in call.keywords]
    listed = (split[0] == "where" and not options) or (split[0] == "nonzero" and options == [("as_tuple", True)])
    return (split[1][0], around) if listed else (None, None)


def _followed(uses: Uses, depth: int = 0) -> Uses:
    """The function of the file that uses the indices: this one, or the one that they are only passed to."""
    call = argument = None
    if len(uses.loads) == 1:
        argument = uses.request.scope.parent(uses.loads[0])
        call = uses.request.scope.parent(argument) if isinstance(argument, ast.keyword) else argument
    if not isinstance(call, ast.Call) or uses.loads[0] is call.func or depth == DEPTH:
        return uses
    info = _only_here(uses.request, call)
    if info is None:
        return uses
    given = info.node.args
    names = [each.arg for each in (*given.posonlyargs, *given.args)][1 if info.cls is not None else 0 :]
    if isinstance(argument, ast.keyword):
        name = argument.arg if argument.arg in {*names, *(each.arg for each in given.kwonlyargs)} else None
    else:
        starred = any(isinstance(each, ast.Starred) for each in call.args)
        name = None if starred else dict(zip(call.args, names, strict=False)).get(uses.loads[0])
    inner = uses.request.within(info)
    if name is None or inner.scope.stores(name):
        return uses
    return _followed(Uses(inner, name, inner.scope.loads(name), True), depth + 1)


def _only_here(request: FixRequest, call: ast.Call) -> FunctionInfo | None:
    """The function of this file that a call runs, where nothing else in the file calls it."""
    value, tree = request.value(call.func), request.module.tree
    cls = class_of(value)
    if cls is not None:
        info = request.project.method(cls, "forward")
        made = [part for part in walk(tree) if isinstance(part, ast.Name) and part.id == cls.name]
        alone = len(made) == 1 and info is not None and info.cls is cls
    else:
        info = value.info if isinstance(value, Function) else None
        alone = info is not None
    parents = request.module.scope(tree)
    reads = [part for part in walk(tree) if _name(part) == _name(call.func) != ""]
    alone = alone and sum(not isinstance(parents.parent(part), ast.Attribute) for part in reads) == 1
    plain = info is not None and info.module is request.module and not info.decorators and not info.is_generator
    return info if alone and plain else None


def _name(node: ast.AST) -> str:
    """How a method or function is read: `.forward`, `forward`; "" of other nodes."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        return f".{node.attr}"
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else ""


def _changes(uses: Uses, torch: str) -> list[Change]:
    """The edits that make a mask of the indices where they are used."""
    request, rows = uses.request, RowWise(uses.request)
    places = [_use(request, load) for load in uses.loads]
    reads = [place for place in places if isinstance(place, ast.Subscript)]
    gathered = {read: _whole(request, read) for read in reads if isinstance(read.ctx, ast.Load)}
    region = _region(request, reads)
    changes: list[Change] = []
    for statement in region:
        target, value = single_target(statement), getattr(statement, "value", None)
        stored = target if isinstance(target, ast.Subscript) and target in reads else None
        of_rows = rows.run(statement, gathered.keys(), stored)
        inside = {read: text for read, text in gathered.items() if request.scope.statement(read) is statement}
        if stored is not None and of_rows and isinstance(value, ast.expr):
            rest = request.code(stored.value)
            mask = f"{uses.name}.view({rest}.size(0), *[1] * ({rest}.dim() - 1))"
            content = f"{torch}.where({mask}, {_with(request, value, inside)}, {rest})"
            changes += [Replaced(stored, f"{rest}[:]"), Replaced(value, content)]
        else:
            changes += [Replaced(read, text) for read, text in inside.items()]
    if not gathered or len(reads) == len(gathered):
        raise NotFixable("the selected rows are not read and stored back")
    rows.check_left(region)
    return changes


def _region(request: FixRequest, reads: list[ast.Subscript]) -> list[ast.stmt]:
    """The statements of one block from the first to the last that reads or stores selected rows."""
    places = [place for read in reads if (place := request.scope.block(request.statement(read))) is not None]
    if not places or any(block is not places[0][0] for block, _ in places) or len(places) < len(reads):
        raise NotFixable("the selected rows are not read and stored in one block")
    positions = [position for _, position in places]
    return places[0][0][min(positions) : max(positions) + 1]


def _with(request: FixRequest, node: ast.expr, parts: dict[ast.Subscript, str]) -> str:
    """The source of an expression with other code in place of some parts."""
    text, end = "", span_of(request.module, node).start
    for part in sorted(parts, key=lambda each: (each.lineno, each.col_offset)):
        span = span_of(request.module, part)
        text, end = text + text_at(request.module, Span(end, span.start)) + parts[part], span.end
    return text + text_at(request.module, Span(end, span_of(request.module, node).end))


def _use(request: FixRequest, load: ast.Name) -> ast.AST:
    """What the indices are read for: a subscript of rows, or a question whose answer a mask gives as well."""
    around = request.scope.parent(load)
    part = around if isinstance(around, ast.Tuple) else load
    outer = request.scope.parent(around) if isinstance(around, ast.Tuple) else around
    if isinstance(outer, ast.Subscript) and outer.slice is part:
        rest = around.elts[1:] if isinstance(around, ast.Tuple) and around.elts[0] is load else []
        if isinstance(outer.ctx, ast.Store) and not isinstance(outer.value, ast.Name):
            raise NotFixable("they are stored into something that is no local tensor")
        if isinstance(outer.ctx, ast.Store) and not all(map(is_all, rest)):
            raise NotFixable("they are stored into a part of each row")
        if (part is load or rest) and all(isinstance(each, ast.Slice) or takes_all_rows(each) for each in rest):
            return outer
    for question in list(request.scope.parents(load))[:3]:
        if request.matched(question, "len({k}) > 0", "{k}.numel() > 0", "{k}.shape[0] > 0", "{k}.size(0) > 0"):
            branch = request.scope.parent(question)
            if isinstance(branch, ast.If) and branch.test is question and not branch.orelse:
                return question
        if request.matched(question, "{k} is None", "{k} is not None"):
            return question
    raise NotFixable("the indices are used for more than to read rows and to store them")


def _whole(request: FixRequest, read: ast.Subscript) -> str:
    """All rows, in memory of their own as selected rows are."""
    rest = read.slice.elts[1:] if isinstance(read.slice, ast.Tuple) else []
    if all(map(is_all, rest)):
        return f"{request.operand(read.value)}.clone()"
    return f"{request.operand(read.value)}[:, {', '.join(request.code(each) for each in rest)}].clone()"
