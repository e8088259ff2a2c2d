"""`x.new().resize_(size)`, from before torch 0.4, as `x.new_empty(size)`."""

from __future__ import annotations

import ast

from breaklint.fixes.base import NO_TENSORS, SAFE, UNSAFE, FixRequest, NotFixable, Outcome, Verdict, codemod
from breaklint.fixes.proofs.layer_sizes import is_layer_size
from breaklint.interp.values import Const, Shape, Size, Tensor


@codemod
def new_empty(request: FixRequest) -> Outcome:
    """`x.new().resize_(size)` -> `x.new_empty(size)`."""
    call = request.call
    made = call.func.value if isinstance(call.func, ast.Attribute) else None
    empty = isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr == "new"
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Attribute) or not empty or made.args:
        raise NotFixable("whether the number of elements stays is not visible here")
    other = isinstance(request.value(made.func.value), NO_TENSORS)
    if made.keywords or call.keywords or not call.args or other:
        raise NotFixable("what it makes room for is not known to be a new tensor")
    size = _room(request, call)
    verdict = Verdict(SAFE, "both make a tensor of this size with nothing in it", "Use `new_empty`")
    if request.tensor(made.func.value) is None or request.may_be_none(made.func.value):
        why = "what it is made of is not known to be a tensor, and of a negative size the error has other words"
        verdict = Verdict(UNSAFE, why, verdict.message)
    elif not all(_never_negative(request, argument) for argument in call.args):
        verdict = Verdict(UNSAFE, "of a negative size the error has other words", verdict.message)
    return request.replace(call, f"{request.operand(made.func.value)}.new_empty({size})", verdict)


def _room(request: FixRequest, call: ast.Call) -> str:
    """The source of the size that `resize_(size)` or `resize_as_(other)` asks for."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "resize_":
        return ", ".join(request.code(argument) for argument in call.args)
    if isinstance(call.func, ast.Attribute) and call.func.attr == "resize_as_" and len(call.args) == 1:
        return f"{request.operand(call.args[0])}.shape"
    raise NotFixable("whether the number of elements stays is not visible here")


def _never_negative(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression is a size, or a row of sizes, as a tensor has it."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(_never_negative(request, item) for item in node.elts)
    value = request.value(node)
    plain = isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
    whole = isinstance(value, Const) and isinstance(value.value, int) and value.value >= 0
    if isinstance(value, Tensor):
        return True  # of resize_as_, whose shape counts
    return (
        whole
        or is_layer_size(request, node)
        or (plain and not isinstance(node, ast.Name) and isinstance(value, Size | Shape))
    )
