"""Branches on a 0-dim bool tensor as torch.where: both sides are computed, the condition selects."""

from __future__ import annotations

import ast

from breaklint.fixes.base import DISPLAY, FixRequest, NotFixable, Outcome, Verdict, codemod
from breaklint.fixes.branches.choices import Choice, choices_of
from breaklint.fixes.branches.conditions import split, whole_condition
from breaklint.fixes.branches.logic import as_tensor
from breaklint.fixes.branches.selections import Impure, judge
from breaklint.fixes.rewrite import Put
from breaklint.interp.values import Tensor

NEEDS = "torch.cond needs tensors of one shape and dtype from both, and no change of the module in either"


@codemod
def torch_where(request: FixRequest) -> Outcome:
    """if/else, an early return or a conditional expression -> torch.where."""
    test = whole_condition(request)
    around, choices = request.scope.parent(test), choices_of(request, test)
    parts = split(request, test)
    static = " and ".join(map(request.code, parts.static))
    condition = as_tensor(request, parts.decided)
    torch, imports = request.name_of("torch")
    try:
        verdict = judge(request, choices)
        selected = [f"{torch}.where({condition}, {_sides(request, choice)})" for choice in choices]
    except Impure as reason:
        selected = [conditional(request, choice, f"{torch}.cond({condition}, ", reason) for choice in choices]
        verdict = Verdict(
            DISPLAY, f"{reason}; {NEEDS}", f"Run one of the two: `{'`, `'.join(map(request.shown, selected))}`"
        )
    first = choices[0]
    if first.first is None or first.last is None:
        assert isinstance(around, ast.IfExp)
        if static:
            selected[0] = f"{selected[0]} if {request.code(static)} else {request.code(around.orelse)}"
        return request.replace(around, selected[0], verdict, imports)
    lines = [request.code(statement) for statement in first.before]
    heads = ["return" if choice.target == "" else f"{choice.target} =" for choice in choices]
    lines += [f"{head} {value}" for head, value in zip(heads, selected, strict=True)]
    code = "\n".join(lines)
    if static:
        code = _under(request, static, code, choices)
    if request.scope.parent(first.first) is request.scope.parent(first.last):
        return request.rewrite(first.first, first.last, code, verdict, imports)
    # An `elif` that returns, and the `return` behind the chain.
    return verdict.rewrite(*imports, Put(first.first, first.first, ""), Put(first.last, first.last, code))


def _under(request: FixRequest, static: str, code: str, choices: list[Choice]) -> str:
    """The selections under the part of a condition that stays an `if`, with what holds where it is false."""
    others = [choice for choice in choices if choice.orelse is not None]
    block = "".join(f"\n    {line}" for line in code.splitlines())
    text = f"if {request.code(static)}:{block}"
    if not others:
        return text
    if choices[0].target == "":
        return f"{text}\nreturn {request.code(others[0].orelse or '')}"
    plain = "".join(f"\n    {choice.target} = {request.code(choice.orelse or '')}" for choice in others)
    return f"{text}\nelse:{plain}"


def conditional(request: FixRequest, choice: Choice, head: str, reason: NotFixable) -> str:
    """`torch.cond(condition, lambda: a, lambda: b)`; raises the reason again where the values are no tensors."""
    sides = []
    for side in (choice.body, choice.orelse):
        kept = side is None or isinstance(side, (ast.Name, ast.Attribute))  # torch.cond gives no input back as it is
        if side is not None and not isinstance(request.value(side), Tensor):
            raise reason
        text = choice.target or "" if side is None else request.code(side)
        sides.append(f"lambda: {text}.clone()" if kept else f"lambda: {text}")
    return f"{head}{', '.join(sides)})"


def _sides(request: FixRequest, choice: Choice) -> str:
    return ", ".join(
        choice.target or "" if side is None else request.code(side) for side in (choice.body, choice.orelse)
    )
