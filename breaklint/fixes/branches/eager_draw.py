"""Branches that chance decides, as layers are dropped in training: shown under a test that it is not compiled."""

from __future__ import annotations

import ast

from breaklint.fixes.base import DISPLAY, FixRequest, Outcome, Verdict, codemod
from breaklint.fixes.branches.conditions import branch_of
from breaklint.project.walking import walk

WHY = "compiled code takes the other way at every call, whatever is drawn"
DRAWING = ("numpy.random", "random")  # modules


@codemod
def eager_draw(request: FixRequest) -> Outcome | None:
    """`if torch.rand(1) < p: skip` -> `if not torch.compiler.is_compiling() and torch.rand(1) < p: skip`."""
    branch = branch_of(request)
    for part in walk(branch.test) if branch is not None else ():
        made = request.definition(part.id, part).value if isinstance(part, ast.Name) else part
        if branch is not None and isinstance(made, ast.Call) and _draws(request, request.qualified(made.func)):
            torch, imports = request.name_of("torch")
            code = f"not {torch}.compiler.is_compiling() and {request.code(branch.test)}"
            verdict = Verdict(DISPLAY, WHY, "Decide only when not compiling")
            return request.replace(branch.test, code, verdict, imports)
    return None


def _draws(request: FixRequest, function: str) -> bool:
    """Whether a function draws random numbers."""
    fact = request.facts.function(function)
    return function.rpartition(".")[0] in DRAWING or (fact is not None and fact.random)
