"""The number of dimensions of a result, if it follows from the arguments and not from one measured call.

No schema contains ranks. Each of these holds for every call that does not raise; a rank is None if it is unknown, or if
the function is not in these tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.lattice import Value
from breaklint.interp.values import NONE, Array, Const, Shape, Size, Static, Tensor, constant_kind, without_none

# These raise for any other rank; the facts are measured with one call, whose rank may not be general.
FIXED: Final = {
    "bmm": 3, "baddbmm": 3, "mm": 2, "addmm": 2, "outer": 2, "ger": 2, "dot": 0, "vdot": 0, "eye": 2,
    "bincount": 1, "masked_select": 1, "tril_indices": 2, "triu_indices": 2,
}  # fmt: skip
# Functions whose result has the rank of the first tensor; one measured call does not show which argument decides.
LIKE_FIRST: Final = frozenset(
    (
        "layer_norm rms_norm group_norm instance_norm batch_norm index_select scatter scatter_ scatter_add "
        "scatter_add_ scatter_reduce index_add index_add_ index_copy index_copy_ index_fill index_fill_ conv1d "
        "conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d"
    ).split()
)
# Functions whose result has the rank of the second tensor.
LIKE_SECOND: Final = frozenset({"view_as", "reshape_as", "expand_as"})
# Functions whose result has as many dimensions as size arguments.
SIZED: Final = frozenset({"new_zeros", "new_ones", "new_full", "new_empty", "broadcast_to"})


def of_call(name: str, arguments: Arguments) -> int | None:
    """The rank of the result of a function or method of torch; the first argument of a method is the tensor."""
    if arguments.starred:
        return None
    if name in FIXED:
        return FIXED[name]
    if name in LIKE_SECOND:
        return _rank(arguments.get(1, "other"))
    if name in SIZED:
        return _number_of_sizes(arguments)
    first = _rank(arguments.get(0, "input"))
    if name in LIKE_FIRST:
        return first
    rule = RULES.get(name)
    return None if rule is None else rule(first, arguments)


def matmul(left: int | None, right: int | None) -> int | None:
    """The rank of a matrix product."""
    if left is None or right is None:
        return None
    if 1 in (left, right):
        return max(left, right) - 1 if left != right else 0
    return max(left, right)


def _rank(value: Value | None) -> int | None:
    value = None if value is None else without_none(value)
    return value.ndim if isinstance(value, (Tensor, Array)) else None


def _integer(value: Value | None, default: int) -> int | None:
    """The value of an int argument, `default` if it is missing, None if it is unknown."""
    if value is None:
        return default
    number = value.value if isinstance(value, Const) else None
    return number if isinstance(number, int) else None


def _number_of_sizes(arguments: Arguments) -> int | None:
    """The number of size arguments, passed one by one or as a sequence."""
    sizes, only = arguments.args[1:], arguments.get(1, "size")
    if isinstance(only, Shape):
        return only.ndim
    if isinstance(only, (Tuple, Sequence)):
        return None if only.items is None else len(only.items)
    plain = all(isinstance(size, (Const, Static, Size)) and constant_kind(size) == "int" for size in sizes)
    return len(sizes) if plain and sizes else None


def _flatten(first: int | None, arguments: Arguments) -> int | None:
    start, end = _integer(arguments.get(1, "start_dim"), 0), _integer(arguments.get(2, "end_dim"), -1)
    if start is None or end is None:
        return None
    if first is None:
        return start + 1 if start >= 0 and end == -1 else None
    width = (end if end >= 0 else end + first) - (start if start >= 0 else start + first)
    return max(first - max(width, 0), 1)


def _einsum(_first: int | None, arguments: Arguments) -> int | None:
    equation = arguments.get(0)
    text = equation.value if isinstance(equation, Const) else None
    if not isinstance(text, str) or "->" not in text or "." in text:
        return None
    return sum(letter.isalpha() for letter in text.partition("->")[2])


def _repeat(first: int | None, arguments: Arguments) -> int | None:
    return _along(first, arguments.get(2, "dim"))


def _unique(first: int | None, arguments: Arguments) -> int | None:
    return _along(first, arguments.get(4, "dim"))


def _along(first: int | None, dim: Value | None) -> int | None:
    """The rank of a result: that of the input if `dim` is passed, else 1."""
    if dim is None or dim == NONE:
        return 1
    return first if constant_kind(dim) == "int" else None


def _more(first: int | None, _arguments: Arguments) -> int | None:
    return None if first is None else first + 1


# Functions whose rank follows from their arguments, each with its rule; no schema states it.
RULES: Final[dict[str, Callable[[int | None, Arguments], int | None]]] = {
    "flatten": _flatten, "einsum": _einsum, "repeat_interleave": _repeat, "unique": _unique, "unsqueeze": _more,
    "unsqueeze_": _more, "one_hot": _more, "diag_embed": _more, "embedding": _more,
}  # fmt: skip
