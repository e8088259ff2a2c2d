"""`Variable(t)`, which has done nothing since torch 0.4, as the tensor itself or `t.detach()`."""

from __future__ import annotations

import ast

from breaklint.fixes.base import NO_TENSORS, SAFE, UNSAFE, FixRequest, NotFixable, Outcome, Verdict, codemod
from breaklint.fixes.proofs.aliasing import is_fresh

NO_TENSOR = (
    "the argument is not known to be a tensor; `Variable(None)` is an empty one, and what is no tensor is another error"
)


@codemod
def drop_variable(request: FixRequest) -> Outcome:
    """`Variable(t)` shares t's data and needs no gradient: `t.detach()`, or t itself when it is new."""
    call = request.call
    argument = _wrapped(call)
    warns = sum(_warns(keyword) for keyword in call.keywords) > 0
    around = request.scope.parent(call)
    dropped_anyway = isinstance(around, ast.Attribute) and around.attr in ("detach", "data")
    new = is_fresh(request, argument)
    if not new and isinstance(request.value(argument), NO_TENSORS):
        raise NotFixable("what it wraps is no tensor")
    content = request.operand(argument) if new or dropped_anyway else f"{request.operand(argument)}.detach()"
    message = "Drop `Variable`" if new or dropped_anyway else "Replace `Variable(…)` by `.detach()`"
    if warns:
        verdict = Verdict(UNSAFE, "volatile has no effect, but the warning that says so is gone", message)
    elif new:
        verdict = Verdict(SAFE, "the argument is a new tensor without a gradient", message)
    elif request.tensor(argument) is None or request.may_be_none(argument):
        verdict = Verdict(UNSAFE, NO_TENSOR, message)
    else:
        verdict = Verdict(SAFE, "Variable(t) is t without its gradient, sharing its data", message)
    return request.replace(call, content, verdict)


def _wrapped(call: ast.Call) -> ast.expr:
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        raise NotFixable("its arguments come from a starred expression")
    if len(call.args) > 1:
        raise NotFixable("whether it asks for a gradient is decided by a second argument")
    named = [keyword.value for keyword in call.keywords if keyword.arg == "data"]
    if len(call.args) + len(named) != 1:
        raise NotFixable("it wraps no tensor")
    return [*call.args, *named][0]


def _warns(keyword: ast.keyword) -> bool:
    """Whether an option makes Variable warn; raises NotFixable for one that does more."""
    on = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
    if keyword.arg == "data" or (keyword.arg == "requires_grad" and on is False):
        return False
    if keyword.arg == "volatile" and isinstance(on, bool):
        return on
    if keyword.arg == "requires_grad":
        raise NotFixable(
            "it asks for a gradient, which Dynamo does not trace in any spelling; create the tensor outside"
        )
    raise NotFixable(f"what `{keyword.arg or '**'}` asks for is not visible here")
