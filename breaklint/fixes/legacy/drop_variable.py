"""`Variable(t)`, which has done nothing since torch 0.4, as the tensor itself or `t.detach()`."""

from __future__ import annotations

import ast

from breaklint.analysis.alias import is_fresh, may_be_view
from breaklint.analysis.queries import Doubt, Proof, known, required
from breaklint.fixes.base import NO_TENSORS, NotFixable
from breaklint.fixes.protocol import Match, Steps, fix

NO_TENSOR = (
    "the argument is not known to be a tensor; `Variable(None)` is an empty one, and what is no tensor is another error"
)


@fix("drop-variable")
def drop_variable(m: Match) -> Steps:
    """`Variable(t)` shares t's data, needs no gradient and is no view: `t.detach()`, or t itself when it is new."""
    request, call = m.request, m.request.call
    argument = _wrapped(call)
    warns = sum(_warns(keyword) for keyword in call.keywords) > 0
    around = request.scope.parent(call)
    dropped_anyway = isinstance(around, ast.Attribute) and around.attr in ("detach", "data")
    new = is_fresh(request, argument)
    yield required(new or not isinstance(request.value(argument), NO_TENSORS), "what it wraps is no tensor")
    yield known(not warns, "volatile has no effect, but the warning that says so is gone")
    if new:
        yield Proof("the argument is a new tensor without a gradient")
    elif request.tensor(argument) is None or request.may_be_none(argument):
        yield Doubt(NO_TENSOR)
    else:
        yield Proof("Variable(t) is t without its gradient, sharing its data")
    bare = new and not may_be_view(request, argument)
    content = request.operand(argument)
    if dropped_anyway or bare:
        draft = m.exchanged(call, content, "Drop `Variable`")
    else:
        draft = m.exchanged(call, f"{content}.detach()", "Replace `Variable(…)` by `.detach()`")
    return draft._replace(of=(call,), by_kind=not bare)  # of a new tensor it matters what it is made of


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
