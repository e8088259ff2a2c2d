"""print, logging and warnings: deleted if `log-fix` requests it."""

from __future__ import annotations

import ast

from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import NotFixable
from breaklint.fixes.logging.log_calls import check_alone, is_local_filter
from breaklint.fixes.protocol import Draft, Match, fix


@fix("delete-call", unsafe="Nothing is printed, logged or warned.")
def delete_call(m: Match) -> Draft:
    """`print(x)` → nothing, with `log-fix = "delete"`."""
    if m.request.settings.log_fix != "delete" or is_local_filter(m):
        raise NotFixable
    check_alone(m)
    call = m.request.call
    parts = [*call.args, *(keyword.value for keyword in call.keywords)]
    pure = all(is_pure(m.request, part) for part in parts)
    m.require(pure, "its arguments may do more than give a value")
    statement = m.request.statement()
    assert isinstance(statement, ast.Expr)
    return m.deleted(statement)
