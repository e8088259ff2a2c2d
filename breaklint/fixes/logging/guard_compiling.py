"""print, logging and warnings: guarded so that the compiled graph does not contain them."""

from __future__ import annotations

import ast
from itertools import takewhile

from breaklint.fixes.logging.log_calls import (
    SAME,
    UNLOGGED,
    is_local_filter,
    is_of_data,
    is_telling,
    may_be_caught,
    only_computes,
    only_in_eager,
    under_guard,
    warns,
)
from breaklint.fixes.protocol import Draft, Match, fix


@fix("guard-compiling", safe=SAME, unsafe=UNLOGGED)
def guard_compiling(m: Match) -> Draft:
    """`print(x)` → `if not torch.compiler.is_compiling(): print(x)`."""
    filters = is_local_filter(m)
    enclosing = takewhile(lambda parent: isinstance(parent, ast.If) and is_telling(m.request, parent), _around(m))
    asking = [item for item in enclosing if isinstance(item, ast.If) and is_of_data(m.request, item.test)]
    guarded = asking[-1] if asking else m.request.statement()
    quiet = not warns(m.request, guarded) and only_computes(m.request, guarded)
    m.safe_if(filters or (quiet and not may_be_caught(m.request, guarded)))
    if asking:  # whose condition breaks the graph as well
        return only_in_eager(m.request, asking[-1], m.request.rule.fix_why)
    return under_guard(m, "" if filters else m.request.rule.fix_why)


def _around(m: Match) -> list[ast.AST]:
    return list(m.request.scope.parents(m.request.statement()))
