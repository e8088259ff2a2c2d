"""Loops without their progress bar."""

from __future__ import annotations

import ast

from breaklint.analysis.purity import is_pure
from breaklint.analysis.queries import Doubt, required
from breaklint.fixes.protocol import Match, Steps, fix


@fix("drop-wrapper")
def drop_wrapper(m: Match) -> Steps:
    """`for x in tqdm(items)` -> `for x in items`; `trange(n)` -> `range(n)`."""
    request, call = m.request, m.request.call
    around = request.scope.parent(call)
    looped = isinstance(around, (ast.For, ast.comprehension)) and around.iter is call
    plain = looped and call.args and not isinstance(call.args[0], ast.Starred)
    yield required(bool(plain), "the progress bar is used for more than a loop")
    extra = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
    yield required(all(is_pure(request, part) for part in extra), "its arguments may do more than give a value")
    yield Doubt(request.rule.fix_why)
    code = request.code(call.args[0])
    if request.qualified(call.func).rpartition(".")[2] == "trange":
        code = f"{request.builtin('range')}({', '.join(map(request.code, call.args[:3]))})"
    return m.exchanged(call, code, "Loop without the progress bar")
