"""Which values a branch chooses between, when choosing is all it does."""

from __future__ import annotations

import ast
from typing import NamedTuple

from breaklint.analysis.mutation import sees_names
from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.project.scope import single_target
from breaklint.project.walking import dotted_name, variables_in, walk


class Choice(NamedTuple):
    """A branch that chooses between two values.

    `target` is the name that is assigned, or the code of an attribute or an entry where `stores` says so, "" where the
    value is returned, None for a conditional expression; `first` to
    `last` are the statements to replace, and `is_elif` tells that they begin with elif. `before` are assignments of the
    branch to names that only its values read: they come first.
    """

    test: ast.expr
    body: ast.expr
    orelse: ast.expr | None
    target: str | None
    first: ast.stmt | None = None
    last: ast.stmt | None = None
    is_elif: bool = False
    before: tuple[ast.Assign, ...] = ()

    @property
    def at(self) -> ast.AST:
        """Where the choice is made."""
        return self.first or self.test

    @property
    def stores(self) -> bool:
        """Whether an attribute or an entry is assigned, that other code may read."""
        return bool(self.target) and not str(self.target).isidentifier()


def choices_of(request: FixRequest, test: ast.expr) -> list[Choice]:
    """The choices that a condition makes, one a name; raises NotFixable when it does more than choose values."""
    around = request.scope.parent(test)
    if isinstance(around, ast.IfExp) and around.test is test:
        return [Choice(test, around.body, around.orelse, None)]
    if isinstance(around, ast.While):
        raise NotFixable("how often a `while` loop runs depends on data; torch.while_loop takes functions")
    if isinstance(around, ast.comprehension):
        raise NotFixable("how many items the comprehension keeps depends on data")
    if not (isinstance(around, ast.If) and around.test is test):
        raise NotFixable("the condition is part of a larger expression")
    return _of_statement(request, around)


def _of_statement(request: FixRequest, branch: ast.If) -> list[Choice]:
    is_elif = request.is_elif(branch)
    last = branch.body[-1]
    if isinstance(last, ast.Raise):
        raise NotFixable("a branch raises; an error has no place in a graph")
    if isinstance(last, ast.Return):
        if len(branch.body) != 1 or len(branch.orelse) > 1:
            raise NotFixable("a branch does more than return a value")
        return [_returned(request, branch, last, branch.orelse[0] if branch.orelse else None, is_elif)]
    if is_elif and not branch.orelse:
        raise NotFixable("the other branch assigns nothing")
    return _assigned(request, branch, is_elif)


def _assigned(request: FixRequest, branch: ast.If, is_elif: bool) -> list[Choice]:
    """A choice for every name that a branch assigns; where only one does, the other side is the name as it was."""
    body, orelse = (_assignments(request, block) for block in (branch.body, branch.orelse))
    if set(orelse) - set(body):
        raise NotFixable("the branches assign different names")
    if stored := next((name for name in body if not name.isidentifier() and name not in orelse), None):
        raise NotFixable(f"one branch alone stores `{stored}`")
    before = _temporaries(request, branch, body, orelse)
    for statement in before:
        body.pop(_assignment(request, statement)[0])
    names = set(body)
    if len(names) > 1 and not all(map(str.isidentifier, names)):
        _refuse_stored(branch)
    if len(names) > 1:
        if not is_pure(request, branch.test) or variables_in(branch.test) & names:
            raise NotFixable("the condition would be computed once for every name, and may change in between")
        for name, value in (*body.items(), *orelse.items()):
            if variables_in(value) & (names - {name}):
                raise NotFixable(f"the value of `{name}` needs another name that the branch assigns")
    return [
        Choice(branch.test, value, orelse.get(name), name, branch, branch, is_elif, before)
        for name, value in body.items()
    ]


def _temporaries(
    request: FixRequest, branch: ast.If, body: dict[str, ast.expr], orelse: dict[str, ast.expr]
) -> tuple[ast.Assign, ...]:
    """The assignments of a branch that may as well be made before it: of values that only what follows there reads."""
    found: list[ast.Assign] = []
    for statement in branch.body if is_pure(request, branch.test) else ():
        assert isinstance(statement, ast.Assign)
        name, value = _assignment(request, statement)
        earlier = branch.body[: branch.body.index(statement)]
        others = {_assignment(request, one)[0] for one in earlier if one not in found}
        private = name not in orelse and _is_private(request, name, statement, branch)
        if private and is_pure(request, value) and not variables_in(value) & others:
            found.append(statement)
    return tuple(found) if len(found) < len(body) else ()


def _is_private(request: FixRequest, name: str, statement: ast.Assign, branch: ast.If) -> bool:
    """Whether a name of the function is read, and only by later statements of the same block."""
    root, later = request.scope.root, branch.body[branch.body.index(statement) + 1 :]
    loads = request.scope.loads(name) if later else []
    inside = ({load, *request.scope.parents(load)} for load in loads)
    read = bool(loads) and all(not around.isdisjoint(later) for around in inside) and not sees_names(request)
    return read and not request.scope.shares(name) and isinstance(root, ast.FunctionDef)


def _assignments(request: FixRequest, block: list[ast.stmt]) -> dict[str, ast.expr]:
    found = dict(_assignment(request, statement) for statement in block)
    if len(found) != len(block):
        raise NotFixable("a branch assigns a name twice")
    return found


def _refuse_stored(branch: ast.If) -> None:
    """Of several values, one that is stored may change what the condition or another value reads."""
    values = [each.value for each in (*branch.body, *branch.orelse) if isinstance(each, ast.Assign)]
    parts = [part for node in (branch.test, *values) for part in walk(node)]
    methods = {part.func for part in parts if isinstance(part, ast.Call)}
    if any(isinstance(part, (ast.Attribute, ast.Subscript)) and part not in methods for part in parts):
        raise NotFixable("what one value is stored in may be read by the condition or by another value")


def _returned(request: FixRequest, branch: ast.If, body: ast.Return, other: ast.stmt | None, is_elif: bool) -> Choice:
    last: ast.stmt = branch
    if other is None:
        place = request.scope.block(_chain(request, branch) if is_elif else branch)
        block, index = place if place is not None else ([], 0)
        other = last = block[index + 1] if index + 1 < len(block) else branch
    if not isinstance(other, ast.Return) or body.value is None or other.value is None:
        raise NotFixable("only one of the branches returns")
    return Choice(branch.test, body.value, other.value, "", branch, last, is_elif and last is branch)


def _chain(request: FixRequest, branch: ast.If) -> ast.If:
    """The `if` whose chain an `elif` belongs to, when every earlier part of it leaves the function."""
    around = request.scope.parent(branch)
    while isinstance(around, ast.If) and branch in around.orelse:
        if not isinstance(around.body[-1], (ast.Return, ast.Raise)):
            raise NotFixable("only one of the branches returns")
        is_elif = request.is_elif(around)
        branch, around = around, request.scope.parent(around)
        if not is_elif:
            break
    return branch


def _assignment(request: FixRequest, statement: ast.stmt) -> tuple[str, ast.expr]:
    target = single_target(statement)
    if isinstance(statement, ast.Assign) and target is not None and _is_plain_place(target):
        return request.text(target), statement.value
    if isinstance(statement, ast.AugAssign):
        raise NotFixable("a branch changes a value in place")
    first = request.text(statement).partition("\n")[0]
    raise NotFixable(f"a branch does more than assign names or return: `{first}`")


def _is_plain_place(target: ast.expr) -> bool:
    """Whether a target is a name, an attribute, or an entry by a literal key of something with a dotted name."""
    keyed = isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant)
    return dotted_name(target.value if keyed else target) is not None  # type: ignore[attr-defined]
