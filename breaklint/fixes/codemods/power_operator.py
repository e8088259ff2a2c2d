"""`pow(a, b)` as `a**b`."""

from __future__ import annotations

import ast

from breaklint.fixes.base import SAFE, FixRequest, NotFixable, Outcome, Verdict, codemod


@codemod
def power_operator(request: FixRequest) -> Outcome:
    """`pow(a, b)` -> `a**b`."""
    call = request.node
    if not isinstance(call, ast.Call) or len(call.args) != 2 or call.keywords or isinstance(call.args[1], ast.Starred):
        raise NotFixable("it has no two plain arguments")
    base, exponent = call.args
    verdict = Verdict(SAFE, "pow(a, b) is a ** b", "Write it with `**`")
    return request.replace(call, f"{request.operand(base)}**{request.operand(exponent)}", verdict)
