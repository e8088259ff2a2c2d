"""Defaults that are set in eager mode alone, set when compiled as well."""

from __future__ import annotations

import ast

from breaklint.analysis.queries import Doubt, Proof
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.interp.callables import Function
from breaklint.interp.models.torch_names import COMPILING
from breaklint.project.walking import dotted_name, walk
from breaklint.rules.checks.defaults import default_before

WHY = "in eager mode the question is answered with no"
WHY_ELSE = "the function that answers the question may do more than that, or answer otherwise"


@fix("always-default")
def always_default(m: Match) -> Steps:
    """`if m is None and not torch.compiler.is_compiling():` -> `if m is None:`."""
    request, base = m.request, m.request.node
    while isinstance(base, ast.Subscript | ast.Attribute | ast.Call):
        base = base.func if isinstance(base, ast.Call) else base.value
    function = request.function
    default = None
    if function is not None and isinstance(base, ast.Name):
        default = default_before(request.event.frame, function, base)
    if default is None or not isinstance(default.branch.test, ast.BoolOp):
        raise NotFixable("the default is set in another function")
    if not all(isinstance(each, ast.Assign) for each in default.branch.body):
        raise NotFixable("more is done there than to set the default")
    kept = [each for each in default.branch.test.values if default.compiling not in walk(each)]
    yield Proof(WHY) if _is_no(request, default.compiling) else Doubt(WHY_ELSE)
    return m.exchanged(default.branch.test, " and ".join(map(request.code, kept)), "Set the default when compiled, too")


def _is_no(request: FixRequest, call: ast.Call) -> bool:
    """Whether a call does nothing and gives a false value in eager mode, whatever happens in it."""
    if call.args or call.keywords:
        return False
    if request.qualified(call.func) in COMPILING:
        return True
    callee = request.value(call.func)
    info = callee.info if isinstance(callee, Function) else None
    plain = info is not None and not info.decorators and not info.is_generator
    if info is None or not plain or not isinstance(info.node, ast.FunctionDef):
        return False
    taken = info.node.args
    if taken.posonlyargs or taken.args or taken.kwonlyargs:  # for which the call gives nothing
        return False
    inner = request.within(info)
    return all(_only_answers(inner, part) for part in info.node.body)


def _only_answers(request: FixRequest, statement: ast.stmt) -> bool:
    """Whether a statement imports torch, returns no, or holds such statements alone."""
    if isinstance(statement, ast.Import):
        return all(each.name in ("torch", "torch.compiler", "torch._dynamo") for each in statement.names)
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Try):
        parts = [
            *statement.body,
            *statement.orelse,
            *statement.finalbody,
            *(p for h in statement.handlers for p in h.body),
        ]
        return all(_only_answers(request, each) for each in parts)
    if not isinstance(statement, ast.Return) or statement.value is None:
        return False
    value = statement.value
    if isinstance(value, ast.Constant):
        return not value.value
    names = {part.id for part in walk(value) if isinstance(part, ast.Name)}
    return (
        isinstance(value, ast.Call)
        and not value.args
        and not value.keywords
        and (request.qualified(value.func) in COMPILING or _local(request, value.func, names))
    )


def _local(request: FixRequest, node: ast.expr, names: set[str]) -> bool:
    """Whether a function asks torch, which it imports itself under that name."""
    imported = {
        each.asname or each.name.partition(".")[0]
        for part in walk(request.scope.root)
        if isinstance(part, ast.Import)
        for each in part.names
        if each.asname is None
    }
    return names <= imported and dotted_name(node) in COMPILING
