"""print, logging and warnings, kept out of the compiled graph or out of the code."""

from __future__ import annotations

import ast
from contextlib import suppress

from breaklint.fixes import layout
from breaklint.fixes.base import SAFE, UNSAFE, FixRequest, NotFixable, Outcome, Verdict, codemod
from breaklint.fixes.codemods.graph_print import graph_print
from breaklint.fixes.proofs.purity import is_pure
from breaklint.model import Edit, Fix, Position, Span
from breaklint.project.spans import lines_of, span_of

FILTERS = ("warnings.simplefilter", "warnings.filterwarnings")


@codemod
def guard_compiling(request: FixRequest) -> Outcome:
    """Run a call only outside of compiled code, or delete it, as `log-fix` says."""
    statement = request.statement()
    if not (isinstance(statement, ast.Expr) and statement.value is request.node):
        raise NotFixable("its result is used")
    if any(isinstance(node, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for node in ast.walk(statement)):
        raise NotFixable("its arguments do more than give a value")
    filters = _is_local_filter(request, statement)
    if request.settings.log_fix == "delete" and not filters:
        return _delete(request, statement)
    if request.settings.log_fix == "in-graph":
        with suppress(NotFixable):
            return graph_print(request)
    torch, imports = request.name_of("torch")
    test = f"if not {torch}.compiler.is_compiling():"
    verdict = Verdict(UNSAFE, request.rule.fix_why, f"Put it under `{test}`")
    if filters:
        verdict = Verdict(SAFE, "it hides warnings of Python code, which a graph does not run", verdict.message)
    step = layout.indent_unit(request.module, request.scope.root)
    if layout.stands_alone(request.module, span_of(request.module, statement)):
        indent = layout.indent_of(request.module, statement)
        body = layout.indented(request.text(statement), step)
        edit = Edit(span_of(request.module, statement), f"{test}\n{indent}{body}")
    else:
        edit = _unfolded(request, statement, test, step)
    return Fix(verdict.applicability, verdict.message, verdict.why, (*imports, edit))


def _is_local_filter(request: FixRequest, statement: ast.Expr) -> bool:
    """Whether a statement ignores warnings, and only inside `with warnings.catch_warnings():`."""
    call = statement.value
    if not isinstance(call, ast.Call) or request.qualified(call.func) not in FILTERS or not call.args:
        return False
    action = call.args[0]
    managers = [
        request.qualified(item.context_expr.func)
        for around in request.scope.parents(statement)
        if isinstance(around, ast.With)
        for item in around.items
        if isinstance(item.context_expr, ast.Call)
    ]
    ignores = isinstance(action, ast.Constant) and action.value == "ignore"
    return ignores and "warnings.catch_warnings" in managers


def _unfolded(request: FixRequest, statement: ast.stmt, test: str, step: str) -> Edit:
    """The edit for `if x: print(y)`: the suite gets lines of its own."""
    around = request.scope.parent(statement)
    place = request.scope.block(statement)
    assert around is not None
    if place is None or len(place[0]) != 1 or not isinstance(around, ast.stmt):
        raise NotFixable("it shares its line with other statements")
    span, lines = span_of(request.module, statement), lines_of(request.module)
    line, behind = lines[span.start.row - 1], lines[span.end.row - 1][span.end.column - 1 :].strip()
    head = line[: span.start.column - 1].rstrip()
    if not head.endswith(":") or (behind and not behind.startswith("#")):
        raise NotFixable("it shares its line with other statements")
    indent = line[: len(line) - len(line.lstrip())]
    body = layout.indented(request.text(statement), step * 2)
    content = f"\n{indent}{step}{test}\n{indent}{body}"
    return Edit(Span(Position(span.start.row, len(head) + 1), span.end), content)


def _delete(request: FixRequest, statement: ast.Expr) -> Outcome:
    call = statement.value
    assert isinstance(call, ast.Call)
    parts = [*call.args, *(keyword.value for keyword in call.keywords)]
    if not all(is_pure(request, part) for part in parts):
        raise NotFixable("its arguments may do more than give a value")
    verdict = Verdict(UNSAFE, "nothing is printed, logged or warned any more", "Delete it")
    return request.delete(statement, verdict)
