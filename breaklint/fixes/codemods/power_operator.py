"""`pow(a, b)` as `a**b`."""

from __future__ import annotations

import ast

from breaklint.fixes.base import SAFE, FixRequest, NotFixable, Outcome, Verdict, codemod
from breaklint.fixes.matching import matched


@codemod
def power_operator(request: FixRequest) -> Outcome:
    """`pow(a, b)` -> `a**b`."""
    node = request.node
    assert isinstance(node, ast.expr)
    found = matched(request, node, "pow({base}, {exponent})")
    if found is None:
        raise NotFixable("it has no two plain arguments")
    verdict = Verdict(SAFE, "pow(a, b) is a ** b", "Write it with `**`")
    return request.replace(node, f"{request.code(found['base'])}**{request.code(found['exponent'])}", verdict)
