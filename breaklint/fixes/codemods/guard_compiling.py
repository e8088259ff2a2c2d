"""print, logging and warnings, kept out of the compiled graph or out of the code."""

from __future__ import annotations

import ast
from contextlib import suppress

from breaklint.fixes.base import SAFE, UNSAFE, FixRequest, NotFixable, Outcome, Verdict, codemod
from breaklint.project.walking import walk

CONSENTED = "eager mode prints, logs and warns as before, and the configuration agrees to a silent compiled model"
FILTERS = ("warnings.simplefilter", "warnings.filterwarnings")


@codemod
def guard_compiling(request: FixRequest) -> Outcome:
    """Run a call only outside of compiled code, or delete it, as `log-fix` says."""
    statement = request.statement()
    if not (isinstance(statement, ast.Expr) and statement.value is request.node):
        raise NotFixable("its result is used")
    if any(isinstance(node, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for node in walk(statement)):
        raise NotFixable("its arguments do more than give a value")
    filters = _is_local_filter(request, statement)
    if request.settings.log_fix == "delete" and not filters:
        return _delete(request, statement)
    if request.settings.log_fix == "in-graph":
        from breaklint.fixes.codemods.graph_print import graph_print  # as all codemods: only when it is asked for

        with suppress(NotFixable):
            return graph_print(request)
    torch, imports = request.name_of("torch")
    test = f"if not {torch}.compiler.is_compiling():"
    verdict = Verdict(UNSAFE, request.rule.fix_why, f"Put it under `{test}`")
    if request.settings.log_fix == "guard":
        verdict = Verdict(SAFE, CONSENTED, verdict.message)
    if filters:
        verdict = Verdict(SAFE, "it hides warnings of Python code, which a graph does not run", verdict.message)
    return request.rewrite(statement, statement, f"{test}\n    {request.code(statement)}", verdict, imports)


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


def _delete(request: FixRequest, statement: ast.Expr) -> Outcome:
    from breaklint.fixes.proofs.purity import is_pure  # the other answers to `log-fix` keep the call

    call = statement.value
    assert isinstance(call, ast.Call)
    parts = [*call.args, *(keyword.value for keyword in call.keywords)]
    if not all(is_pure(request, part) for part in parts):
        raise NotFixable("its arguments may do more than give a value")
    verdict = Verdict(UNSAFE, "nothing is printed, logged or warned any more", "Delete it")
    return request.delete(statement, verdict)
