"""`y.data = v` as a straight-through estimator: shown, never written."""

from __future__ import annotations

import ast

from breaklint.fixes.advice import advised
from breaklint.fixes.base import FixRequest, NotFixable, Outcome, codemod
from breaklint.interp.values import Tensor
from breaklint.project.scope import single_target


@codemod
def show_straight_through(request: FixRequest) -> Outcome:
    """`y.data = v` -> `y = y + (v - y).detach()`: the value of v, the gradient of y."""
    statement = request.statement()
    target = single_target(statement)
    if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Attribute):
        raise NotFixable(request.rule.fix_why)
    if not isinstance(target.value, ast.Name) or not isinstance(request.value(statement.value), Tensor):
        raise NotFixable(request.rule.fix_why)
    name = target.value.id
    content = f"{name} = {name} + ({request.operand(statement.value)} - {name}).detach()"
    return request.rewrite(statement, statement, content, advised(request, content))
