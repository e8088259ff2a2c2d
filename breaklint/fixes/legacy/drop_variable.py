"""`Variable(t)`, which has done nothing since torch 0.4, as the tensor itself or `t.detach()`."""

from __future__ import annotations

import ast

from breaklint.analysis.alias import is_fresh, may_be_view
from breaklint.fixes.base import NO_TENSORS, NotFixable
from breaklint.fixes.protocol import Draft, Match, fix

WHY = "`Variable(t)` is `t` without its gradient, and shares its data."
NO_TENSOR = "breaklint cannot infer that the argument is a tensor."


@fix("drop-variable", safe=WHY, unsafe=NO_TENSOR)
def drop_variable(m: Match) -> Draft:
    """`Variable(t)` → `t.detach()`, or `t` if it is new."""
    request, call = m.request, m.request.call
    argument = _wrapped(call)
    _check_options(call)
    enclosing = request.scope.parent(call)
    dropped_anyway = isinstance(enclosing, ast.Attribute) and enclosing.attr in ("detach", "data")
    new = is_fresh(request, argument)
    m.require(new or not isinstance(request.value(argument), NO_TENSORS), "the argument is not a tensor")
    m.safe_if(new or (request.tensor(argument) is not None and not request.may_be_none(argument)))
    bare = new and not may_be_view(request, argument)
    content = request.operand(argument)
    if dropped_anyway or bare:
        return m.exchanged(call, content, "Drop `Variable`")
    return m.exchanged(call, f"{content}.detach()", "Replace `Variable(…)` by `.detach()`")


def _wrapped(call: ast.Call) -> ast.expr:
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        raise NotFixable("its arguments come from a starred expression")
    if len(call.args) > 1:
        raise NotFixable("its second argument determines whether it needs a gradient")
    keywords = [keyword.value for keyword in call.keywords if keyword.arg == "data"]
    if len(call.args) + len(keywords) != 1:
        raise NotFixable("it does not have exactly one argument")
    return [*call.args, *keywords][0]


def _check_options(call: ast.Call) -> None:
    """Raises NotFixable for an option that does something."""
    for keyword in call.keywords:
        on = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
        if keyword.arg == "data" or (keyword.arg == "requires_grad" and on is False):
            continue
        if keyword.arg == "volatile" and isinstance(on, bool):
            continue
        if keyword.arg == "requires_grad":
            raise NotFixable(
                "it requires a gradient, which Dynamo does not trace; create the tensor outside of the compiled code"
            )
        raise NotFixable(f"breaklint cannot infer the value of `{keyword.arg or '**'}`")
