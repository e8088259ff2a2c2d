"""`random.random()` as `random.uniform(0, 1)`, which is traced."""

from __future__ import annotations

import ast

from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Outcome, Verdict, codemod
from breaklint.fixes.proofs.random_uses import meets_tensors


@codemod
def random_uniform(request: FixRequest) -> Outcome:
    """`random.random()` -> `random.uniform(0, 1)`."""
    call = request.call
    if request.qualified(call.func) != "random.random":
        raise NotFixable("only random.random() has a traced twin that draws the same number")
    if not isinstance(call.func, ast.Attribute):
        raise NotFixable("`uniform` is not imported here; import the module `random`")
    meets_tensors(request, call)
    verdict = Verdict(UNSAFE, request.rule.fix_why, "Use `random.uniform(0, 1)`, which is traced")
    return request.replace(call, f"{request.code(call.func.value)}.uniform(0, 1)", verdict)
