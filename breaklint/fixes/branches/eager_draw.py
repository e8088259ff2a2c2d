"""Branches that chance decides, as layers are dropped in training: shown under a test that it is not compiled."""

from __future__ import annotations

import ast

from breaklint.analysis.queries import Doubt
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.branches.conditions import branch_of
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.project.walking import walk

WHY = "compiled code takes the other way at every call, whatever is drawn"
DRAWING = ("numpy.random", "random")  # modules


@fix("eager-draw")
def eager_draw(m: Match) -> Steps:
    """`if torch.rand(1) < p: skip` -> `if not torch.compiler.is_compiling() and torch.rand(1) < p: skip`."""
    request, branch = m.request, branch_of(m.request)
    parts = walk(branch.test) if branch is not None else []
    made = [request.definition(part.id, part).value if isinstance(part, ast.Name) else part for part in parts]
    if branch is None or not any(
        isinstance(one, ast.Call) and _draws(request, request.qualified(one.func)) for one in made
    ):
        raise NotFixable
    torch, imports = request.name_of("torch")
    code = f"not {torch}.compiler.is_compiling() and {request.code(branch.test)}"
    yield Doubt(WHY)
    return m.exchanged(branch.test, code, "Decide only when not compiling", *imports)._replace(shown=True)


def _draws(request: FixRequest, function: str) -> bool:
    """Whether a function draws random numbers."""
    fact = request.facts.function(function)
    return function.rpartition(".")[0] in DRAWING or (fact is not None and fact.random)
