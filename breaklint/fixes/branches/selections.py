"""When choosing between two values may become a selection by torch.where."""

from __future__ import annotations

import ast

from breaklint.analysis.alias import is_fresh_result
from breaklint.analysis.purity import is_pure
from breaklint.analysis.shapes import ShapeAndDtype, shape_and_dtype
from breaklint.fixes.base import SAFE, UNSAFE, FixRequest, NotFixable, Verdict
from breaklint.fixes.branches import where_doubts
from breaklint.fixes.branches.choices import Choice
from breaklint.fixes.scalars.scalar_uses import ScalarUses
from breaklint.interp.values import constant_kind

MESSAGE = "Select with `torch.where`"
WIDENED = "the two values have different dtypes when they are computed from integers or bools"


class Impure(NotFixable):
    """Both sides cannot be computed, since one may do more than give a value."""


def scalar_uses_of(request: FixRequest) -> ScalarUses:
    """What follows a number to its uses; branches that it decides must become selections."""
    return ScalarUses(request, judge)


def judge(request: FixRequest, choices: list[Choice]) -> Verdict:
    """How far the values may be exchanged for selections; raises NotFixable when they may not."""
    verdicts = [_judged(request, choice) for choice in choices]
    doubted = [verdict for verdict in verdicts if verdict.applicability is not SAFE]
    doubted += [Verdict(UNSAFE, why, MESSAGE) for why in where_doubts.order_doubts(request, choices)]
    if not doubted:
        return verdicts[0]
    reasons = dict.fromkeys(reason for verdict in doubted for reason in verdict.why.split("; "))
    return Verdict(UNSAFE, "; ".join(reasons), MESSAGE)


def _judged(request: FixRequest, choice: Choice) -> Verdict:
    sides = [side for side in (choice.body, choice.orelse) if side is not None]
    for side in sides:
        if not is_pure(request, side):
            raise Impure(f"`{_short(request.text(side))}` may do more than give a value, and both sides would run")
    if choice.stores and not all(is_fresh_result(request, side) for side in sides):
        raise NotFixable("what is stored may be a parameter, or a tensor that something else refers to")
    if len(sides) == 2 and all(_number(request, side) for side in sides):
        return _of_numbers(request, choice, sides)
    likes = [shape_and_dtype(request, side) for side in sides]
    if len(sides) == 1:
        assert choice.target is not None
        assert choice.first is not None
        likes.append(_shape_and_dtype_before(request, choice.first, choice.target))
    first, second = likes
    if first is None or second is None or (first.shape, first.dtype) != (second.shape, second.dtype):
        values = [f"`{_short(request.text(side))}`" for side in sides]
        values += [f"`{choice.target}` as it was before"] if len(sides) == 1 else []
        raise NotFixable(f"{' and '.join(values)} are not known to be tensors of the same shape and dtype")
    reasons = [WIDENED] if first.widened != second.widened else []
    reasons += where_doubts.doubts(request, choice)
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
    if choice.stores:
        raise NotFixable("it is stored where other code may need a Python number")
    around = request.scope.parent(choice.test)
    uses = scalar_uses_of(request)
    if choice.target is None:
        assert isinstance(around, ast.IfExp)
        uses.follow(around, False)
    else:
        uses.named(choice.target, False)
    reasons = [
        "a 0-dim tensor of the default dtype takes the place of a Python number",
        *where_doubts.test_doubts(request, choice.test),
    ]
    return Verdict(UNSAFE, "; ".join(reasons), MESSAGE)


def _shape_and_dtype_before(request: FixRequest, branch: ast.stmt, name: str) -> ShapeAndDtype | None:
    """The shape and dtype of what a name holds before a branch."""
    definition = request.definition(name, branch)
    if definition.value is not None:
        found = shape_and_dtype(request, definition.value)
        if found is not None:
            return found
    if definition.is_outer or definition.value is not None:
        origin = (name, definition.version)
        return ShapeAndDtype(origin, origin)
    return None


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"
