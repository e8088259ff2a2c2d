"""`x.new().resize_(size)`, from before torch 0.4, as `x.new_empty(size)`."""

from __future__ import annotations

import ast

from breaklint.analysis.layer_sizes import is_layer_size
from breaklint.analysis.queries import Proof, known
from breaklint.analysis.sizes import is_count, is_of_one_shape
from breaklint.fixes.base import NO_TENSORS, FixRequest, NotFixable
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.interp.values import Const, Shape

ADDRESS_BITS = 59  # of elements of up to 16 bytes; what asks for more is refused in other words
NO_TENSOR = "what it is made of, or like, is not known to be a tensor"
NO_SIZE = "of a negative size, one that is too large, or what is no size, the error has other words"


@fix("new-empty")
def new_empty(m: Match) -> Steps:
    """`x.new().resize_(size)` -> `x.new_empty(size)`."""
    request, call = m.request, m.request.call
    made = call.func.value if isinstance(call.func, ast.Attribute) else None
    empty = isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr == "new"
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Attribute) or not empty or made.args:
        raise NotFixable("whether the number of elements stays is not visible here")
    other = isinstance(request.value(made.func.value), NO_TENSORS)
    if made.keywords or call.keywords or not call.args or other:
        raise NotFixable("what it makes room for is not known to be a new tensor")
    size = _room(request, call)
    like = call.args[0] if _is_like(call) else None
    tensors = [each for each in (made.func.value, like) if each is not None]
    yield Proof("both make a tensor of this size with nothing in it")
    yield known(all(request.tensor(each) is not None and not request.may_be_none(each) for each in tensors), NO_TENSOR)
    yield known(like is not None or _is_room(request, call.args), NO_SIZE)
    return m.exchanged(call, f"{request.operand(made.func.value)}.new_empty({size})", "Use `new_empty`")


def _is_like(call: ast.Call) -> bool:
    """Whether the size is that of another tensor."""
    return isinstance(call.func, ast.Attribute) and call.func.attr == "resize_as_"


def _room(request: FixRequest, call: ast.Call) -> str:
    """The source of the size that `resize_(size)` or `resize_as_(other)` asks for."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "resize_":
        return ", ".join(request.code(argument) for argument in call.args)
    if _is_like(call) and len(call.args) == 1:
        return f"{request.operand(call.args[0])}.shape"
    raise NotFixable("whether the number of elements stays is not visible here")


def _is_room(request: FixRequest, arguments: list[ast.expr]) -> bool:
    """Whether arguments are sizes that surely make a tensor: one row of them, or several; what they are refused for
    names the method."""
    if len(arguments) == 1:
        row = arguments[0]
        if isinstance(row, (ast.Tuple, ast.List)):
            return _are_sizes(request, row.elts)
        if isinstance(request.value(row), Shape):
            return is_of_one_shape(request, row)
    return _are_sizes(request, arguments)


def _are_sizes(request: FixRequest, sizes: list[ast.expr]) -> bool:
    """Whether expressions are sizes, and the constants among them ask for no more memory than there are addresses."""
    values = [value.value for each in sizes if isinstance(value := request.value(each), Const)]
    bits = sum(value.bit_length() for value in values if isinstance(value, int))
    return bits < ADDRESS_BITS and all(_is_size(request, each) for each in sizes)


def _is_size(request: FixRequest, node: ast.expr) -> bool:
    return is_count(request, node) or is_layer_size(request, node)
