"""Branches on a 0-dim bool tensor as torch.where: both sides are computed, the condition selects."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from breaklint.analysis.values import Const, Size, Static, constant_kind
from breaklint.fixes import gradients, layout, logic
from breaklint.fixes.base import SAFE, UNSAFE, FixRequest, NotFixable, Outcome, Verdict
from breaklint.fixes.likeness import Like, likeness
from breaklint.fixes.purity import is_pure

MESSAGE = "Select with `torch.where`"


@dataclass(frozen=True, slots=True)
class Choice:
    """A branch that chooses between two values.

    `target` is the name that is assigned, "" where the value is returned, None for a conditional expression; `first` to
    `last` are the statements to replace, and `is_elif` tells that they begin with elif.
    """

    test: ast.expr
    body: ast.expr
    orelse: ast.expr | None
    target: str | None
    first: ast.stmt | None = None
    last: ast.stmt | None = None
    is_elif: bool = False


def torch_where(request: FixRequest) -> Outcome:
    """if/else, an early return or a conditional expression -> torch.where."""
    test = logic.whole_condition(request)
    around = request.scope.parent(test)
    if isinstance(around, ast.If) and isinstance(around.body[-1], ast.Raise):
        return _guarded(request, around)
    choice = choice_of(request, test)
    condition = logic.as_tensor(request, choice.test)
    verdict = judge(request, choice)
    torch, imports = request.name_of("torch")
    orelse = choice.target if choice.orelse is None else request.text(choice.orelse)
    selected = f"{torch}.where({condition}, {request.text(choice.body)}, {orelse})"
    if choice.first is None or choice.last is None:
        expression = request.scope.parent(choice.test)
        assert isinstance(expression, ast.IfExp)
        return request.replace(expression, selected, verdict, imports)
    content = f"return {selected}" if choice.target == "" else f"{choice.target} = {selected}"
    if choice.is_elif:
        indent = layout.indent_of(request.module, choice.first)
        content = f"else:\n{indent}{layout.indent_unit(request.module, request.scope.root)}{content}"
    return request.rewrite(choice.first, choice.last, content, verdict, imports)


def _guarded(request: FixRequest, branch: ast.If) -> Outcome:
    """`if bad: raise ...` -> `if not torch.compiler.is_compiling() and bad: raise ...`."""
    if branch.orelse or request.text(branch).startswith("elif"):
        raise NotFixable("a branch raises; an error has no place in a graph")
    torch, imports = request.name_of("torch")
    guard = f"not {torch}.compiler.is_compiling()"
    loose = isinstance(branch.test, ast.IfExp | ast.Lambda | ast.NamedExpr)
    loose = loose or (isinstance(branch.test, ast.BoolOp) and isinstance(branch.test.op, ast.Or))
    test = request.text(branch.test)
    verdict = Verdict(
        UNSAFE, "the compiled model no longer checks, and goes on where it raised", "Check only when not compiling"
    )
    return request.replace(branch.test, f"{guard} and {f'({test})' if loose else test}", verdict, imports)


def choice_of(request: FixRequest, test: ast.expr) -> Choice:
    """The choice that a condition makes; raises NotFixable when it does more than choose a value."""
    around = request.scope.parent(test)
    if isinstance(around, ast.IfExp) and around.test is test:
        return Choice(test, around.body, around.orelse, None)
    if isinstance(around, ast.While):
        raise NotFixable("how often a `while` loop runs depends on data; torch.while_loop takes functions")
    if isinstance(around, ast.comprehension):
        raise NotFixable("how many items the comprehension keeps depends on data")
    if not (isinstance(around, ast.If) and around.test is test):
        raise NotFixable("the condition is part of a larger expression")
    return _of_statement(request, around)


def _of_statement(request: FixRequest, branch: ast.If) -> Choice:
    is_elif = request.text(branch).startswith("elif")
    if len(branch.body) != 1 or len(branch.orelse) > 1:
        raise NotFixable("a branch holds more than one assignment or return")
    body, other = branch.body[0], branch.orelse[0] if branch.orelse else None
    if isinstance(body, ast.Return):
        return _returned(request, branch, body, other, is_elif)
    if isinstance(body, ast.Raise):
        raise NotFixable("a branch raises; an error has no place in a graph")
    target, value = _assignment(body)
    if other is None:
        if is_elif or not request.scope.stores(target):
            raise NotFixable("the other branch assigns nothing")
        return Choice(branch.test, value, None, target, branch, branch)
    second, orelse = _assignment(other)
    if second != target:
        raise NotFixable("the branches assign different names")
    return Choice(branch.test, value, orelse, target, branch, branch, is_elif)


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
        if not isinstance(around.body[-1], ast.Return | ast.Raise):
            raise NotFixable("only one of the branches returns")
        is_elif = request.text(around).startswith("elif")
        branch, around = around, request.scope.parent(around)
        if not is_elif:
            break
    return branch


def _assignment(statement: ast.stmt) -> tuple[str, ast.expr]:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id, statement.value
    if isinstance(statement, ast.AugAssign):
        raise NotFixable("a branch changes a value in place")
    raise NotFixable("a branch does more than assign one name or return")


def judge(request: FixRequest, choice: Choice) -> Verdict:
    """How far the two values may be exchanged for a selection; raises NotFixable when they may not."""
    sides = [choice.body, choice.orelse] if choice.orelse is not None else [choice.body]
    for side in sides:
        if not is_pure(request, side):
            raise NotFixable(f"`{_short(request.text(side))}` may do more than give a value, and both sides would run")
    if len(sides) == 2 and all(_number(request, side) for side in sides):
        return _of_numbers(request, choice, sides)
    likes = [likeness(request, side) for side in sides]
    if choice.orelse is None:
        assert choice.target is not None
        assert choice.first is not None
        likes.append(_like_before(request, choice.first, choice.target))
    first, second = likes
    if first is None or second is None or (first.shape, first.dtype) != (second.shape, second.dtype):
        raise NotFixable("the two values are not known to be tensors of the same shape and dtype")
    if first.widened != second.widened:
        return Verdict(
            UNSAFE, "the two values have different dtypes when they are computed from integers or bools", MESSAGE
        )
    reason = gradients.doubt(request, choice.test, sides, choice.orelse is None)
    if reason:
        return Verdict(UNSAFE, reason, MESSAGE)
    return Verdict(
        SAFE, "both values have the same shape and dtype, and are cheap and finite wherever their inputs are", MESSAGE
    )


def _number(request: FixRequest, node: ast.expr) -> str:
    """The kind of a Python number that no tensor's data reaches."""
    value = request.value(node)
    kind = constant_kind(value) if isinstance(value, Const | Static | Size) else ""
    return kind if kind in ("int", "float") else ""


def _of_numbers(request: FixRequest, choice: Choice, sides: list[ast.expr]) -> Verdict:
    """Two Python numbers: a 0-dim tensor can take their place where only tensors are computed with it."""
    from breaklint.fixes.uses import Uses

    if _number(request, sides[0]) != _number(request, sides[1]):
        raise NotFixable("one value is an integer and the other is not")
    if choice.target == "":
        raise NotFixable("the caller may need a Python number")
    around = request.scope.parent(choice.test)
    uses = Uses(request)
    if choice.target is None:
        assert isinstance(around, ast.IfExp)
        uses.follow(around, False)
    else:
        uses.named(choice.target, False)
    return Verdict(UNSAFE, "a 0-dim tensor of the default dtype takes the place of a Python number", MESSAGE)


def _like_before(request: FixRequest, branch: ast.stmt, name: str) -> Like | None:
    """The likeness of what a name holds before a branch."""
    definition = request.scope.definition(name, branch)
    if definition.value is not None:
        found = likeness(request, definition.value)
        if found is not None:
            return found
    if definition.statement is None or definition.value is not None:
        origin = (name, id(definition.statement))
        return Like(origin, origin)
    return None


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"


__all__ = ["choice_of", "judge", "torch_where"]
