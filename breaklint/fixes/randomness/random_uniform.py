"""`random.random()` as `random.uniform(0, 1)`, which is traced."""

from __future__ import annotations

import ast

from breaklint.analysis.queries import Doubt, required
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.fixes.randomness.random_uses import meets_tensors

TWIN = "only random.random() has a traced twin that draws the same number"


@fix("random-uniform")
def random_uniform(m: Match) -> Steps:
    """`random.random()` -> `random.uniform(0, 1)`."""
    call = m.request.call
    yield required(m.request.qualified(call.func) == "random.random", TWIN)
    named = "`uniform` is not imported here; import the module `random`"
    yield required(isinstance(call.func, ast.Attribute), named)
    yield meets_tensors(m.request, call)
    yield Doubt(m.request.rule.fix_why)
    assert isinstance(call.func, ast.Attribute)
    code = f"{m.request.code(call.func.value)}.uniform(0, 1)"
    return m.exchanged(call, code, "Use `random.uniform(0, 1)`, which is traced")
