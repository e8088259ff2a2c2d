"""`y.data = v` as a straight-through estimator: shown, never written."""

from __future__ import annotations

import ast

from breaklint.analysis.queries import Doubt
from breaklint.fixes.base import NotFixable
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.interp.values import Tensor
from breaklint.project.scope import single_target


@fix("show-straight-through")
def show_straight_through(m: Match) -> Steps:
    """`y.data = v` -> `y = y + (v - y).detach()`: the value of v, the gradient of y."""
    request, statement = m.request, m.request.statement()
    target = single_target(statement)
    if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Attribute):
        raise NotFixable(request.rule.fix_why)
    if not isinstance(target.value, ast.Name) or not isinstance(request.value(statement.value), Tensor):
        raise NotFixable(request.rule.fix_why)
    name = target.value.id
    content = f"{name} = {name} + ({request.operand(statement.value)} - {name}).detach()"
    yield Doubt(request.rule.fix_why)
    return m.put(statement, content, f"Write `{request.shown(content)}`")._replace(shown=True)
