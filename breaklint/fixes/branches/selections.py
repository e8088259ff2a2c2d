"""Whether torch.where may select between the values of a branch."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Sequence

from breaklint.analysis.shapes import shape_of
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.branches.conditions import split
from breaklint.fixes.branches.sides import (
    Before,
    Branch,
    Computed,
    Named,
    Selected,
    Value,
    branch_of_statements,
    computes,
    leaves,
    short,
)
from breaklint.fixes.logging.log_calls import is_of_data
from breaklint.fixes.scalars.scalar_uses import NO_TESTS, ScalarUses
from breaklint.interp.values import Tensor, constant_kind
from breaklint.project.walking import walk

MOST_BEHIND = 8  # statements after a branch that returns: they are then always computed


def selected(request: FixRequest, test: ast.expr) -> tuple[list[ast.stmt], Branch]:
    """The statements that a condition controls, and their values; statements after a branch that returns are included.

    The value of a conditional expression has the target "".
    """
    branch = request.scope.parent(test)
    if isinstance(branch, ast.IfExp) and branch.test is test:
        return [request.statement(test)], _of_expression(request, branch)
    if isinstance(branch, ast.While):
        raise NotFixable("how often a `while` loop runs depends on data; torch.while_loop takes functions")
    if isinstance(branch, ast.comprehension):
        raise NotFixable("how many items the comprehension keeps depends on data")
    if not isinstance(branch, ast.If) or branch.test is not test:
        raise NotFixable("the condition is part of a larger expression")
    statements = [branch, *(_behind(request, branch) if leaves(branch.body) != leaves(branch.orelse) else ())]
    return statements, branch_of_statements(request, statements)


def _behind(request: FixRequest, branch: ast.If) -> list[ast.stmt]:
    """The statements that run if a branch does not return; those before it in a chain of `elif` return or raise."""
    first: ast.AST | None = branch
    while isinstance(first, ast.If) and request.is_elif(first):
        first = request.scope.parent(first)
        if isinstance(first, ast.If) and not (leaves(first.body) or isinstance(first.body[-1], ast.Raise)):
            raise NotFixable("only one of the branches returns")
    place = request.scope.block(first) if isinstance(first, ast.If) else None
    following = place[0][place[1] + 1 :] if place is not None else []
    if len(following) > MOST_BEHIND or not leaves(following):
        raise NotFixable("only one of the branches returns")
    return following


def is_behind_exit(request: FixRequest) -> bool:
    """Whether an earlier branch on data returns, in a block around the finding, and cannot become a selection."""
    statement: ast.AST | None = request.scope.statement(request.node)
    while isinstance(statement, ast.stmt):
        block, index = request.scope.block(statement) or ([], 0)
        if any(isinstance(item, ast.If) and _is_exit(request, item) for item in block[:index]):
            return True
        statement = request.scope.parent(statement)
    return False


def _is_exit(request: FixRequest, branch: ast.If) -> bool:
    if not leaves(branch.body) or not is_of_data(request, branch.test):
        return False
    try:
        selected(request, branch.test)
    except NotFixable:
        return True
    return False


def _of_expression(request: FixRequest, node: ast.IfExp) -> Branch:
    for side in (node.body, node.orelse):
        if not computes(request, side):
            raise NotFixable(f"`{short(request.text(side))}` may do more than compute, and both sides would run")
    value = Selected(split(request, node.test).decided, Computed(node.body, {}), Computed(node.orelse, {}), True)
    return Branch([], {"": value}, None)


def may_select(request: FixRequest, test: ast.expr, tests: frozenset[ast.expr]) -> None:
    """Raise NotFixable unless the branch on a test becomes a selection that is written."""
    statements, branch = selected(request, test)
    check_kinds(request, test, statements[0], branch, tests)
    if not are_alike(request, statements[0], branch):
        raise NotFixable("breaklint cannot infer that both branches have the same shape and dtype")


def selections_in(values: Sequence[Value]) -> Iterator[Selected]:
    """All selections of some values, the outermost first."""
    for value in values:
        if isinstance(value, Named):
            yield from selections_in([value.value])
        elif isinstance(value, Selected):
            yield value
            yield from selections_in([value.first, value.second])


def tests_in(values: Sequence[Value]) -> Iterator[ast.expr]:
    """The tests of data that select some values."""
    return (item.test for item in selections_in(values) if item.of_data)


def _final(branch: Branch) -> list[Value]:
    return [*branch.targets.values(), *(branch.returned or ())]


def check_kinds(
    request: FixRequest, test: ast.expr, at: ast.stmt, branch: Branch, tests: frozenset[ast.expr] = NO_TESTS
) -> None:
    """Raise NotFixable if a value is neither a tensor nor a number that a 0-dim tensor can replace.

    `tests` are those of branches around, whose numbers flow into this one.
    """
    if not [*tests_in(_final(branch))]:
        raise NotFixable("the branch assigns nothing that is read")
    for target, value in branch.targets.items():
        kinds = [_kind(request, at, leaf) for leaf in _leaves(value)]
        if set(kinds) <= {"int", "float"}:
            _check_number(request, test, target, kinds, tests)
        elif set(kinds) != {"tensor"}:
            raise _unlike(request, at, value)
        elif target and not target.isidentifier() and _is_parameter(request, target):
            raise NotFixable(f"`{target}` may be a parameter")
    for value in branch.returned or ():
        if isinstance(value, Selected) and {_kind(request, at, leaf) for leaf in _leaves(value)} != {"tensor"}:
            raise _unlike(request, at, value)


def are_alike(request: FixRequest, at: ast.stmt, branch: Branch) -> bool:
    """Whether all selected values have one shape and dtype: torch.where would broadcast others."""
    for value in _final(branch):
        parts = _leaves(value)
        if len(parts) == 1 or all(_kind(request, at, part) != "tensor" for part in parts):
            continue
        shapes = {_shape(request, at, part) for part in parts}
        nodes = [part.node for part in parts if isinstance(part, Computed)]
        if None in shapes or len(shapes) != 1 or len({_dtype(request, node) for node in nodes}) > 1:
            return False
    return True


def _leaves(value: Value) -> list[Value]:
    """The values that a value is selected from."""
    if isinstance(value, Named):
        return _leaves(value.value)
    return [*_leaves(value.first), *_leaves(value.second)] if isinstance(value, Selected) else [value]


def _kind(request: FixRequest, at: ast.stmt, value: Value) -> str:
    """`tensor`, the kind of a Python number that does not depend on data, or "" if unknown."""
    if isinstance(value, Before):
        if not value.target.isidentifier():
            return "tensor"
        result = request.definition(value.target, at)
        if result.value is not None:
            return _kind(request, at, Computed(result.value, {})) or "tensor"
        is_parameter = any(isinstance(item, ast.arg) for item in request.scope.bound(value.target))
        return "tensor" if is_parameter or not result.is_outer else ""
    assert isinstance(value, Computed)
    match = request.value(value.node)
    return "tensor" if isinstance(match, Tensor) else constant_kind(match)


def _shape(request: FixRequest, at: ast.stmt, value: Value) -> Hashable | None:
    """The origin of the shape of a value, None if unknown."""
    if isinstance(value, Computed):
        return shape_of(request, value.node)
    if not isinstance(value, Before) or not value.target.isidentifier():
        return None
    result = request.definition(value.target, at)
    inferred = None if result.value is None else shape_of(request, result.value)
    return (value.target, result.version) if inferred is None else inferred


def _dtype(request: FixRequest, node: ast.expr) -> str:
    """The class of the dtype of a tensor, floating if unknown."""
    value = request.value(node)
    return (value.dtype if isinstance(value, Tensor) else "") or "float"


def _check_number(
    request: FixRequest, test: ast.expr, target: str, kinds: list[str], tests: frozenset[ast.expr]
) -> None:
    """Two Python numbers: a 0-dim tensor can take their place if only tensors are computed with it."""
    if len(set(kinds)) != 1:
        raise NotFixable("one value is an integer and the other is not")
    uses, enclosing = ScalarUses(request, may_select, tests | {test}), request.scope.parent(test)
    if not target and isinstance(enclosing, ast.expr):
        uses.follow(enclosing, False)
    elif target.isidentifier():
        uses.follow_name(target, False)
    else:
        raise NotFixable("it is stored where other code may need a Python number")


def _is_parameter(request: FixRequest, target: str) -> bool:
    parts = (part for part in walk(request.scope.root) if isinstance(part, (ast.Attribute, ast.Subscript)))
    values = [request.value(part) for part in parts if request.text(part) == target]
    return any(isinstance(value, Tensor) and value.role == "parameter" for value in values)


def _unlike(request: FixRequest, at: ast.stmt, value: Value) -> NotFixable:
    for part in _leaves(value):
        if isinstance(part, Before) and not _kind(request, at, part):
            return NotFixable(f"`{part.target}` has no value before the branch")
    parts = [leaf for leaf in _leaves(value) if isinstance(leaf, Computed)]
    texts = dict.fromkeys(f"`{short(request.text(item.node))}`" for item in parts)
    return NotFixable(f"breaklint cannot infer that {' and '.join(texts)} are tensors")
