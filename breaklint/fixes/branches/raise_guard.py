"""Checks that raise: run only if the code is not compiled."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.logging.log_calls import DOING
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.fixes.rewrite import Change, Replaced
from breaklint.project.walking import walk

UNSAFE = "The compiled model does not make the check, and continues if it fails."


@fix("raise-guard", unsafe=UNSAFE)
def raise_guard(m: Match) -> Draft:
    """`if bad: raise …` → `if not torch.compiler.is_compiling() and bad: raise …`.

    Also `assert good` → `assert torch.compiler.is_compiling() or good`.
    """
    request = m.request
    check = _check_around(request)
    if check is None:
        raise NotFixable
    change = _in_eager(request, check)
    _, imports = request.name_of("torch")
    return Draft("Check only when not compiling", (*imports, change))


def _in_eager(request: FixRequest, check: ast.If | ast.Assert) -> Change:
    """`if bad: raise` or `assert good`, checked only when not compiling."""
    if any(isinstance(part, DOING) for part in walk(check.test)):
        raise NotFixable("the condition does more than give a value")
    torch, _ = request.name_of("torch")
    if isinstance(check, ast.Assert):
        return Replaced(check.test, f"{torch}.compiler.is_compiling() or {request.code(check.test)}")
    if not request.is_single(check):
        raise NotFixable("a branch raises; an error has no place in a graph")
    return Replaced(check.test, f"not {torch}.compiler.is_compiling() and {request.code(check.test)}")


def _raises(node: ast.AST) -> bool:
    return isinstance(node, ast.Assert) or (isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise))


def _check_around(request: FixRequest) -> ast.If | ast.Assert | None:
    """The assert, or the `if` with a raise at its end, whose condition contains the finding."""
    part: ast.AST = request.node
    for parent in request.scope.parents(request.node):
        if isinstance(parent, ast.stmt):
            return (
                parent if isinstance(parent, (ast.If, ast.Assert)) and _raises(parent) and part is parent.test else None
            )
        part = parent
    return None
