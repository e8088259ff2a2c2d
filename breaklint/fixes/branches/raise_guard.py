"""Checks that raise: made only when the code is not compiled."""

from __future__ import annotations

import ast

from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.logging.log_calls import DOING
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.fixes.rewrite import Change, Put, Replaced
from breaklint.project.scope import single_name
from breaklint.project.walking import walk

UNCHECKED = "The compiled model does not make the check, and continues if it fails."


@fix("raise-guard", unsafe=UNCHECKED)
def raise_guard(m: Match) -> Draft:
    """`if bad: raise ...` -> `if not torch.compiler.is_compiling() and bad: raise ...`, where the finding is in `bad`.

    So is `assert good` -> `assert torch.compiler.is_compiling() or good`. Where the finding is in `n = ...` and only
    such conditions and what they raise read `n`, that is put under the test as well. None where the finding stands
    elsewhere; raises NotFixable where the branch does more than raise.
    """
    request = m.request
    check = _check_around(request)
    keeps = isinstance(check, ast.Assert) and request.rule.fix_kind == "tensor-assert"  # another fix keeps the check
    changes = _of_name(request) if check is None or keeps else [_in_eager(request, check)]
    _, imports = request.name_of("torch")
    return Draft("Check only when not compiling", (*imports, *changes))


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


def _of_name(request: FixRequest) -> list[Change]:
    """`n = t.item()` and `if n > 3: raise ValueError(n)`, both only when not compiling."""
    statement = request.scope.statement(request.node)
    name = single_name(statement)
    if name is None or not isinstance(statement, ast.Assign):
        raise NotFixable
    private = isinstance(request.scope.root, ast.FunctionDef) and not request.scope.shares(name)
    if not private or len(request.scope.stores(name)) != 1 or not is_pure(request, statement.value):
        raise NotFixable
    guards: dict[ast.If | ast.Assert, None] = {}
    for load in request.scope.loads(name):
        guard = next((each for each in request.scope.parents(load) if _raises(each)), None)
        if not isinstance(guard, (ast.If, ast.Assert)) or request.scope.is_inner(load):
            raise NotFixable
        guards[guard] = None
    if not guards:
        raise NotFixable
    torch, _ = request.name_of("torch")
    made = f"if not {torch}.compiler.is_compiling():\n    {request.code(statement)}"
    return [Put(statement, statement, made), *(_in_eager(request, guard) for guard in guards)]


def _raises(node: ast.AST) -> bool:
    return isinstance(node, ast.Assert) or (isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise))


def _check_around(request: FixRequest) -> ast.If | ast.Assert | None:
    """The assert, or the `if` that ends by raising, in whose condition the finding stands."""
    part: ast.AST = request.node
    for around in request.scope.parents(request.node):
        if isinstance(around, ast.stmt):
            return (
                around if isinstance(around, (ast.If, ast.Assert)) and _raises(around) and part is around.test else None
            )
        part = around
    return None
