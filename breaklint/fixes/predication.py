"""Branches on a 0-dim bool tensor as torch.where: both sides are computed, the condition selects."""

from __future__ import annotations

import ast

from breaklint.fixes import gradients, layout, logic
from breaklint.fixes.base import DISPLAY, SAFE, UNSAFE, FixRequest, NotFixable, Outcome, Verdict
from breaklint.fixes.branches import Choice, choices_of
from breaklint.fixes.numpy_flags import plain_flag
from breaklint.fixes.purity import is_pure
from breaklint.fixes.redundant_guards import only_when_eager, without_branch
from breaklint.fixes.scalar_uses import ScalarUses
from breaklint.fixes.shape_equality import ShapeAndDtype, shape_and_dtype
from breaklint.interp.values import Tensor, constant_kind

MESSAGE = "Select with `torch.where`"
WIDENED = "the two values have different dtypes when they are computed from integers or bools"
NEEDS = "torch.cond needs tensors of one shape and dtype from both, and no change of the module in either"


class Impure(NotFixable):
    """Both sides cannot be computed, since one may do more than give a value."""


def torch_where(request: FixRequest) -> Outcome:
    """if/else, an early return or a conditional expression -> torch.where; NumPy's truth values become plain ones."""
    flag = plain_flag(request)
    if flag is not None:
        return flag
    test = logic.whole_condition(request)
    around = request.scope.parent(test)
    if isinstance(around, ast.If) and isinstance(around.body[-1], ast.Raise):
        return _guarded(request, around)
    if not isinstance(around, ast.If):
        return _selected(request, test)
    try:
        return _selected(request, test)
    except NotFixable as reason:
        return without_branch(request, around, reason)


def _selected(request: FixRequest, test: ast.expr) -> Outcome:
    around, choices = request.scope.parent(test), choices_of(request, test)
    condition = logic.as_tensor(request, test)
    torch, imports = request.name_of("torch")
    try:
        verdict = judge(request, choices)
        selected = [f"{torch}.where({condition}, {_sides(request, choice)})" for choice in choices]
    except Impure as reason:
        selected = [conditional(request, choice, f"{torch}.cond({condition}, ", reason) for choice in choices]
        verdict = Verdict(DISPLAY, f"{reason}; {NEEDS}", f"Run one of the two: `{'`, `'.join(selected)}`")
    first = choices[0]
    if first.first is None or first.last is None:
        assert isinstance(around, ast.IfExp)
        return request.replace(around, selected[0], verdict, imports)
    indent = layout.indent_of(request.module, first.first)
    if first.is_elif:
        indent += layout.indent_unit(request.module, request.scope.root)
    lines = [request.text(statement) for statement in first.before]
    heads = ["return" if choice.target == "" else f"{choice.target} =" for choice in choices]
    lines += [f"{head} {value}" for head, value in zip(heads, selected, strict=True)]
    content = f"\n{indent}".join(lines)
    content = f"else:\n{indent}{content}" if first.is_elif else content
    return request.rewrite(first.first, first.last, content, verdict, imports)


def conditional(request: FixRequest, choice: Choice, head: str, reason: NotFixable) -> str:
    """`torch.cond(condition, lambda: a, lambda: b)`; raises the reason again where the values are no tensors."""
    sides = []
    for side in (choice.body, choice.orelse):
        kept = side is None or isinstance(side, (ast.Name, ast.Attribute))  # torch.cond gives no input back as it is
        if side is not None and not isinstance(request.value(side), Tensor):
            raise reason
        text = choice.target or "" if side is None else request.text(side)
        sides.append(f"lambda: {text}.clone()" if kept else f"lambda: {text}")
    return f"{head}{', '.join(sides)})"


def _sides(request: FixRequest, choice: Choice) -> str:
    return ", ".join(
        choice.target or "" if side is None else request.text(side) for side in (choice.body, choice.orelse)
    )


def _guarded(request: FixRequest, branch: ast.If) -> Outcome:
    """`if bad: raise ...` -> `if not torch.compiler.is_compiling() and bad: raise ...`."""
    if branch.orelse or request.text(branch).startswith("elif"):
        raise NotFixable("a branch raises; an error has no place in a graph")
    verdict = Verdict(
        UNSAFE, "the compiled model no longer checks, and goes on where it raised", "Check only when not compiling"
    )
    return only_when_eager(request, branch, verdict)


def scalar_uses_of(request: FixRequest) -> ScalarUses:
    """What follows a number to its uses; branches that it decides must become selections."""
    return ScalarUses(request, judge)


def judge(request: FixRequest, choices: list[Choice]) -> Verdict:
    """How far the values may be exchanged for selections; raises NotFixable when they may not."""
    verdicts = [_judged(request, choice) for choice in choices]
    doubted = [verdict for verdict in verdicts if verdict.applicability is not SAFE]
    doubted += [Verdict(UNSAFE, why, MESSAGE) for why in gradients.order_doubts(choices)]
    if not doubted:
        return verdicts[0]
    reasons = dict.fromkeys(reason for verdict in doubted for reason in verdict.why.split("; "))
    return Verdict(UNSAFE, "; ".join(reasons), MESSAGE)


def _judged(request: FixRequest, choice: Choice) -> Verdict:
    sides = [side for side in (choice.body, choice.orelse) if side is not None]
    for side in sides:
        if not is_pure(request, side):
            raise Impure(f"`{_short(request.text(side))}` may do more than give a value, and both sides would run")
    if len(sides) == 2 and all(_number(request, side) for side in sides):
        return _of_numbers(request, choice, sides)
    likes = [shape_and_dtype(request, side) for side in sides]
    if len(sides) == 1:
        assert choice.target is not None
        assert choice.first is not None
        likes.append(_shape_and_dtype_before(request, choice.first, choice.target))
    first, second = likes
    if first is None or second is None or (first.shape, first.dtype) != (second.shape, second.dtype):
        raise NotFixable("the two values are not known to be tensors of the same shape and dtype")
    reasons = [WIDENED] if first.widened != second.widened else []
    reasons += gradients.doubts(request, choice)
    if reasons:
        return Verdict(UNSAFE, "; ".join(reasons), MESSAGE)
    return Verdict(SAFE, "both values have the same shape and dtype, and are finite wherever their inputs are", MESSAGE)


def _number(request: FixRequest, node: ast.expr) -> str:
    """The kind of a Python number that no tensor's data reaches."""
    kind = constant_kind(request.value(node))
    return kind if kind in ("int", "float") else ""


def _of_numbers(request: FixRequest, choice: Choice, sides: list[ast.expr]) -> Verdict:
    """Two Python numbers: a 0-dim tensor can take their place where only tensors are computed with it."""
    if _number(request, sides[0]) != _number(request, sides[1]):
        raise NotFixable("one value is an integer and the other is not")
    if choice.target == "":
        raise NotFixable("the caller may need a Python number")
    around = request.scope.parent(choice.test)
    uses = scalar_uses_of(request)
    if choice.target is None:
        assert isinstance(around, ast.IfExp)
        uses.follow(around, False)
    else:
        uses.named(choice.target, False)
    reasons = [
        "a 0-dim tensor of the default dtype takes the place of a Python number",
        *gradients.test_doubts(request, choice.test),
    ]
    return Verdict(UNSAFE, "; ".join(reasons), MESSAGE)


def _shape_and_dtype_before(request: FixRequest, branch: ast.stmt, name: str) -> ShapeAndDtype | None:
    """The shape and dtype of what a name holds before a branch."""
    definition = request.scope.definition(name, branch)
    if definition.value is not None:
        found = shape_and_dtype(request, definition.value)
        if found is not None:
            return found
    if definition.statement is None or definition.value is not None:
        origin = (name, id(definition.statement))
        return ShapeAndDtype(origin, origin)
    return None


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"
