"""Code from before torch 0.4: Variable, saved_variables."""

from __future__ import annotations

import ast

from breaklint.analysis.places import span_of
from breaklint.fixes.base import SAFE, UNSAFE, FixRequest, NotFixable, Outcome, Verdict
from breaklint.model import Edit, Fix, Position, Span

CREATED = frozenset(
    "zeros ones rand randn randint empty full arange linspace eye tensor zeros_like ones_like rand_like randn_like empty_like "
    "full_like randperm from_numpy".split()
)
CREATED_BY = frozenset("new new_zeros new_ones new_empty new_full new_tensor detach bernoulli".split())
KEEPS_NO_GRADIENT = frozenset(
    "cuda cpu to float double half long int bool type type_as fill_ zero_ normal_ uniform_ view reshape unsqueeze squeeze "
    "expand repeat transpose permute contiguous clone bernoulli_".split()
)


def drop_variable(request: FixRequest) -> Outcome:
    """`Variable(t)` gives a tensor that shares t's data and needs no gradient: `t.detach()`, or t itself when it is new."""
    call = request.node
    assert isinstance(call, ast.Call)
    argument = _wrapped(call)
    for keyword in call.keywords:
        _without_effect(keyword)
    if is_new(request, argument):
        why = "the argument is a new tensor without a gradient"
        return request.replace(call, request.text(argument), Verdict(SAFE, why, "Drop `Variable`"))
    content = f"{request.operand(argument)}.detach()"
    message = "Replace `Variable(…)` by `.detach()`"
    if request.tensor(argument) is None:
        why = "the argument is not known to be a tensor; `Variable(None)` is an empty one"
        return request.replace(call, content, Verdict(UNSAFE, why, message))
    return request.replace(call, content, Verdict(SAFE, "Variable(t) is t without its gradient, sharing its data", message))


def _wrapped(call: ast.Call) -> ast.expr:
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        raise NotFixable("its arguments come from a starred expression")
    if len(call.args) > 1:
        raise NotFixable("whether it asks for a gradient is decided by a second argument")
    named = [keyword.value for keyword in call.keywords if keyword.arg == "data"]
    if len(call.args) + len(named) != 1:
        raise NotFixable("it wraps no tensor")
    return [*call.args, *named][0]


def _without_effect(keyword: ast.keyword) -> None:
    if keyword.arg == "data":
        return
    off = isinstance(keyword.value, ast.Constant) and keyword.value.value is False
    if keyword.arg not in ("requires_grad", "volatile") or not off:
        raise NotFixable(f"`{keyword.arg or '**'}` asks for more than a tensor; Dynamo does not trace that in any spelling")


def is_new(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression makes a tensor that nothing else refers to and that needs no gradient."""
    if not isinstance(node, ast.Call) or any(keyword.arg in ("requires_grad", None) for keyword in node.keywords):
        return False
    name = request.qualified(node.func)
    if name.startswith("torch."):
        short = name.rpartition(".")[2]
        return name.count(".") == 1 and short in CREATED or (short.endswith("Tensor") and short != "Tensor")
    if not isinstance(node.func, ast.Attribute):
        return False
    method = node.func.attr
    if method in CREATED_BY and method != "bernoulli" and request.tensor(node) is not None:
        return True
    return method in KEEPS_NO_GRADIENT and is_new(request, node.func.value)


def saved_tensors(request: FixRequest) -> Outcome:
    """`ctx.saved_variables` was renamed."""
    node = request.node
    assert isinstance(node, ast.Attribute)
    end = span_of(request.module, node).end
    start = Position(end.row, end.column - len(node.attr))
    why = "saved_variables is the old name of the same tuple, and warns that it is"
    return Fix(SAFE, "Rename to `saved_tensors`", why, (Edit(Span(start, end), "saved_tensors"),))
