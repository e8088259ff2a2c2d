"""Checks that raise: made only when the code is not compiled."""

from __future__ import annotations

import ast

from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Outcome, Verdict

UNCHECKED = "the compiled model no longer checks, and goes on where it raised"
VERDICT = Verdict(UNSAFE, UNCHECKED, "Check only when not compiling")


def raise_guard(request: FixRequest) -> Outcome | None:
    """`if bad: raise ...` -> `if not torch.compiler.is_compiling() and bad: raise ...`, where the finding is in `bad`.

    None where the finding stands elsewhere; raises NotFixable where the branch does more than raise.
    """
    branch = _guard_around(request)
    if branch is None:
        return None
    if branch.orelse or request.text(branch).startswith("elif"):
        raise NotFixable("a branch raises; an error has no place in a graph")
    if any(isinstance(part, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for part in ast.walk(branch.test)):
        raise NotFixable("the condition does more than give a value")
    return only_when_eager(request, branch, VERDICT)


def only_when_eager(request: FixRequest, branch: ast.If, verdict: Verdict) -> Outcome:
    """`if test:` -> `if not torch.compiler.is_compiling() and test:`."""
    torch, imports = request.name_of("torch")
    code = f"not {torch}.compiler.is_compiling() and {request.code(branch.test)}"
    return request.replace(branch.test, code, verdict, imports)


def _guard_around(request: FixRequest) -> ast.If | None:
    """The `if` that ends by raising and in whose condition the finding stands."""
    part: ast.AST = request.node
    for around in request.scope.parents(request.node):
        if isinstance(around, ast.stmt):
            guards = isinstance(around, ast.If) and part is around.test and isinstance(around.body[-1], ast.Raise)
            return around if guards and isinstance(around, ast.If) else None
        part = around
    return None
