"""Branches on a 0-dim bool tensor as torch.where: both sides are computed, the condition selects."""

from __future__ import annotations

import ast

from breaklint.analysis.queries import Doubt
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.branches.choices import Choice, choices_of
from breaklint.fixes.branches.conditions import as_tensor, split, whole_condition
from breaklint.fixes.branches.selections import impure_side, selectable
from breaklint.fixes.protocol import Draft, Match, Steps, fix
from breaklint.fixes.rewrite import Change, Put
from breaklint.interp.values import Tensor

NEEDS = "torch.cond needs tensors of one shape and dtype from both, and no change of the module in either"


@fix("torch-where")
def torch_where(m: Match) -> Steps:
    """if/else, an early return or a conditional expression -> torch.where; torch.cond is shown where a side may do more
    than give a value."""
    request, test = m.request, whole_condition(m.request)
    choices, parts = choices_of(request, test), split(request, test)
    condition = as_tensor(request, parts.decided)
    torch, imports = request.name_of("torch")
    if impure := impure_side(request, choices):
        yield Doubt(f"{impure}; {NEEDS}")
        selected = [f"{torch}.cond({condition}, {_functions(request, choice, impure)})" for choice in choices]
        message = f"Run one of the two: `{'`, `'.join(map(request.shown, selected))}`"
    else:
        yield from selectable(request, choices)
        selected = [f"{torch}.where({condition}, {', '.join(_sides(request, choice))})" for choice in choices]
        message = "Select with `torch.where`"
    static = " and ".join(map(request.code, parts.static))
    return Draft(message, (*imports, *_written(m, test, choices, static, selected)), shown=bool(impure))


def _written(m: Match, test: ast.expr, choices: list[Choice], static: str, selected: list[str]) -> tuple[Change, ...]:
    """The selections in place of the branch, under the part of its condition that stays an `if`."""
    request, first = m.request, choices[0]
    if first.first is None or first.last is None:
        around = request.scope.parent(test)
        assert isinstance(around, ast.IfExp)
        code = f"{selected[0]} if {request.code(static)} else {request.code(around.orelse)}" if static else selected[0]
        return (request.exchange(around, code),)
    lines = [request.code(statement) for statement in first.before]
    heads = ["return" if choice.target == "" else f"{choice.target} =" for choice in choices]
    lines += [f"{head} {value}" for head, value in zip(heads, selected, strict=True)]
    code = _under(request, static, lines, choices) if static else "\n".join(lines)
    if request.scope.parent(first.first) is request.scope.parent(first.last):
        return (Put(first.first, first.last, code),)
    # An `elif` that returns, and the `return` behind the chain.
    return Put(first.first, first.first, ""), Put(first.last, first.last, code)


def _under(request: FixRequest, static: str, lines: list[str], choices: list[Choice]) -> str:
    """The selections under the part of a condition that stays an `if`, with what holds where it is false."""
    others = [choice for choice in choices if choice.orelse is not None]
    text = f"if {request.code(static)}:" + "".join(f"\n    {line}" for line in lines)
    if not others:
        return text
    if choices[0].target == "":
        return f"{text}\nreturn {request.code(others[0].orelse or '')}"
    plain = "".join(f"\n    {choice.target} = {request.code(choice.orelse or '')}" for choice in others)
    return f"{text}\nelse:{plain}"


def _sides(request: FixRequest, choice: Choice) -> list[str]:
    return [choice.target or "" if side is None else request.code(side) for side in (choice.body, choice.orelse)]


def _functions(request: FixRequest, choice: Choice, reason: str) -> str:
    """`lambda: a, lambda: b` for torch.cond; raises NotFixable where the values are no tensors."""
    sides = []
    for side, text in zip((choice.body, choice.orelse), _sides(request, choice), strict=True):
        kept = side is None or isinstance(side, (ast.Name, ast.Attribute))  # torch.cond gives no input back as it is
        if side is not None and not isinstance(request.value(side), Tensor):
            raise NotFixable(reason)
        sides.append(f"lambda: {text}.clone()" if kept else f"lambda: {text}")
    return ", ".join(sides)
