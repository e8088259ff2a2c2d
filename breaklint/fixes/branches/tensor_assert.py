"""An assert in the form that Dynamo keeps in the graph."""

from __future__ import annotations

import ast

from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Outcome, Rewrite, Verdict, codemod
from breaklint.fixes.branches.conditions import SKIPPED, may_skip
from breaklint.fixes.branches.literal_message import literal
from breaklint.fixes.branches.logic import as_tensor


def _is_asked_in_python(test: ast.expr) -> bool:
    """Whether the form of a condition makes Python ask for the truth of what is inside it."""
    return (
        isinstance(test, ast.BoolOp)
        or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not))
        or (isinstance(test, ast.Compare) and len(test.ops) > 1)
    )


@codemod
def tensor_assert(request: FixRequest) -> Outcome:
    """An assert in the form that Dynamo keeps in the graph: a tensor, and a literal message."""
    statement = request.statement()
    if not isinstance(statement, ast.Assert):
        raise NotFixable("it is not the condition of an assert")
    why = request.rule.fix_why + (f"; {SKIPPED}" if may_skip(statement.test) else "")
    verdict = Verdict(UNSAFE, why, "Assert a tensor, with a literal message")
    edits: tuple[Rewrite, ...] = ()
    if _is_asked_in_python(statement.test):
        edits += (request.replace(statement.test, _asserted(request, statement.test), verdict),)
    message = statement.msg
    if message is not None and not (isinstance(message, ast.Constant) and isinstance(message.value, str)):
        edits += (request.replace(message, literal(message), verdict),)
    if not edits and isinstance(statement.test, ast.Tuple):
        raise NotFixable("a tuple that holds something is always true: without its parentheses the first is asserted")
    if not edits and request.tensor(statement.test) is None:
        raise NotFixable("what it asserts is no tensor")
    if not edits:
        raise NotFixable("it has the form that stays in the graph, which it does not in a loop before torch 2.13")
    return verdict.rewrite(*(change for each in edits for change in each.changes))


def _asserted(request: FixRequest, test: ast.expr) -> str:
    inner = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None
    tensor = request.tensor(inner) if inner is not None else None
    if inner is not None and tensor is not None and tensor.dtype == "bool" and tensor.ndim == 0:
        return f"~{request.operand(inner)}"
    return as_tensor(request, test)
