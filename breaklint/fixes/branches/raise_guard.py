"""Checks that raise: made only when the code is not compiled."""

from __future__ import annotations

import ast

from breaklint.analysis.mutation import sees_names
from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Outcome, Verdict, codemod
from breaklint.fixes.rewrite import Put, Replaced
from breaklint.project.scope import single_name
from breaklint.project.walking import walk

UNCHECKED = "the compiled model no longer checks, and goes on where it raised"
VERDICT = Verdict(UNSAFE, UNCHECKED, "Check only when not compiling")


@codemod
def raise_guard(request: FixRequest) -> Outcome | None:
    """`if bad: raise ...` -> `if not torch.compiler.is_compiling() and bad: raise ...`, where the finding is in `bad`.

    So is `assert good` -> `assert torch.compiler.is_compiling() or good`. Where the finding is in `n = ...` and only
    such conditions and what they raise read `n`, that is put under the test as well. None where the finding stands
    elsewhere; raises NotFixable where the branch does more than raise.
    """
    asserted = _assert_around(request, request.node)
    if asserted is not None and request.rule.fix_kind != "tensor-assert":  # which keeps the check
        torch, imports = request.name_of("torch")
        return VERDICT.rewrite(*imports, _asserted_in_eager(request, asserted, torch))
    branch = _guard_around(request)
    if branch is None:
        return _named(request)
    _refuse_more(request, branch)
    torch, imports = request.name_of("torch")
    code = f"not {torch}.compiler.is_compiling() and {request.code(branch.test)}"
    return request.replace(branch.test, code, VERDICT, imports)


def _refuse_more(request: FixRequest, branch: ast.If) -> None:
    if branch.orelse or request.text(branch).startswith("elif"):
        raise NotFixable("a branch raises; an error has no place in a graph")
    _refuse_effects(branch.test)


def _refuse_effects(test: ast.expr) -> None:
    if any(isinstance(part, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for part in walk(test)):
        raise NotFixable("the condition does more than give a value")


def _assert_around(request: FixRequest, node: ast.AST) -> ast.Assert | None:
    """The assert in whose condition a node stands."""
    statement = request.scope.statement(node)
    inside = isinstance(statement, ast.Assert) and statement.test in (node, *request.scope.parents(node))
    return statement if isinstance(statement, ast.Assert) and inside else None


def _asserted_in_eager(request: FixRequest, statement: ast.Assert, torch: str) -> Replaced:
    """`assert good` -> `assert torch.compiler.is_compiling() or good`."""
    _refuse_effects(statement.test)
    return Replaced(statement.test, f"{torch}.compiler.is_compiling() or {request.code(statement.test)}")


def _named(request: FixRequest) -> Outcome | None:
    """`n = t.item()` and `if n > 3: raise ValueError(n)`, both only when not compiling."""
    statement = request.scope.statement(request.node)
    name = single_name(statement) if isinstance(statement, ast.Assign) else None
    if name is None or not isinstance(statement, ast.Assign) or sees_names(request):
        return None
    private = isinstance(request.scope.root, ast.FunctionDef) and not request.scope.shares(name)
    if not private or len(request.scope.stores(name)) != 1 or not is_pure(request, statement.value):
        return None
    guards: list[ast.If | ast.Assert] = []
    for load in request.scope.loads(name):
        guard = next((each for each in request.scope.parents(load) if _raises(each)), None)
        if not isinstance(guard, (ast.If, ast.Assert)) or request.scope.is_inner(load):
            return None
        guards += [] if guard in guards else [guard]
    for guard in guards:
        if isinstance(guard, ast.If):
            _refuse_more(request, guard)
    if not guards:
        return None
    torch, imports = request.name_of("torch")
    test = f"not {torch}.compiler.is_compiling()"
    changes = [
        _asserted_in_eager(request, guard, torch)
        if isinstance(guard, ast.Assert)
        else Replaced(guard.test, f"{test} and {request.code(guard.test)}")
        for guard in guards
    ]
    whole = Put(statement, statement, f"if {test}:\n    {request.code(statement)}")
    return VERDICT.rewrite(*imports, whole, *changes)


def _raises(node: ast.AST) -> bool:
    return isinstance(node, ast.Assert) or (isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise))


def _guard_around(request: FixRequest) -> ast.If | None:
    """The `if` that ends by raising and in whose condition the finding stands."""
    part: ast.AST = request.node
    for around in request.scope.parents(request.node):
        if isinstance(around, ast.stmt):
            return around if isinstance(around, ast.If) and _raises(around) and part is around.test else None
        part = around
    return None
