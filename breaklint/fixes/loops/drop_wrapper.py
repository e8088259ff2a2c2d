"""Loops without their progress bar."""

from __future__ import annotations

import ast

from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Outcome, Verdict, codemod


@codemod
def drop_wrapper(request: FixRequest) -> Outcome:
    """`for x in tqdm(items)` -> `for x in items`; `trange(n)` -> `range(n)`."""
    call = request.call
    around = request.scope.parent(call)
    looped = isinstance(around, (ast.For, ast.comprehension)) and around.iter is call
    if not looped or not call.args or isinstance(call.args[0], ast.Starred):
        raise NotFixable("the progress bar is used for more than a loop")
    extra = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
    if not all(is_pure(request, part) for part in extra):
        raise NotFixable("its arguments may do more than give a value")
    verdict = Verdict(UNSAFE, request.rule.fix_why, "Loop without the progress bar")
    name = request.qualified(call.func).rpartition(".")[2]
    if name == "trange":
        bounds = ", ".join(request.code(argument) for argument in call.args[:3])
        return request.replace(call, f"{request.builtin('range')}({bounds})", verdict)
    return request.replace(call, request.code(call.args[0]), verdict)
