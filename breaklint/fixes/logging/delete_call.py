"""print, logging and warnings, taken out of the code where `log-fix` says so."""

from __future__ import annotations

import ast

from breaklint.analysis.purity import is_pure
from breaklint.analysis.queries import Doubt, No, required
from breaklint.fixes.logging.log_calls import is_local_filter, stands_alone
from breaklint.fixes.protocol import Match, Steps, fix


@fix("delete-call")
def delete_call(m: Match) -> Steps:
    """`print(x)` -> nothing."""
    if m.request.settings.log_fix != "delete" or is_local_filter(m):
        yield No()
    yield stands_alone(m)
    call = m.request.call
    parts = [*call.args, *(keyword.value for keyword in call.keywords)]
    pure = all(is_pure(m.request, part) for part in parts)
    yield required(pure, "its arguments may do more than give a value")
    yield Doubt("nothing is printed, logged or warned any more")
    statement = m.request.statement()
    assert isinstance(statement, ast.Expr)
    return m.deleted(statement)
