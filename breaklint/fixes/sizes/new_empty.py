"""`x.new().resize_(size)`, from before torch 0.4, as `x.new_empty(size)`."""

from __future__ import annotations

import ast

from breaklint.analysis.layer_sizes import is_layer_size
from breaklint.analysis.queries import Proof, known, required
from breaklint.analysis.sizes import is_count, is_of_one_shape
from breaklint.fixes.base import NO_TENSORS, FixRequest
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.interp.values import Const, Shape

ADDRESS_BITS = 59  # of elements of up to 16 bytes; what asks for more is refused in other words
UNSEEN = "whether the number of elements stays is not visible here"
NO_TENSOR = "what it is made of, or like, is not known to be a tensor"
NO_SIZE = "of a negative size, one that is too large, or what is no size, the error has other words"


@fix("new-empty", match=("{x}.new().resize_({*sizes})", "{x}.new().resize_as_({like})"), other=UNSEEN)
def new_empty(m: Match) -> Steps:
    """`x.new().resize_(size)` -> `x.new_empty(size)`."""
    request, like = m.request, m.captured.get("like")
    sizes: list[ast.expr] = getattr(m.captured.get("sizes"), "elts", [])
    new = not isinstance(request.value(m["x"]), NO_TENSORS) and (like is not None or bool(sizes))
    yield required(new, "what it makes room for is not known to be a new tensor")
    size = "{like}.shape" if like is not None else ", ".join(map(request.code, sizes))
    tensors = [each for each in (m["x"], like) if each is not None]
    yield Proof("both make a tensor of this size with nothing in it")
    yield known(all(request.tensor(each) is not None and not request.may_be_none(each) for each in tensors), NO_TENSOR)
    yield known(like is not None or _is_room(request, sizes), NO_SIZE)
    return m.replaced(f"{{x}}.new_empty({size})", "Use `new_empty`")


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
    return bits < ADDRESS_BITS and all(is_count(request, each) or is_layer_size(request, each) for each in sizes)
