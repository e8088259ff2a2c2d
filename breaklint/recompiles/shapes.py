"""The sizes that operations on tensors give, with the questions about sizes that torch asks on the way.

A question about a symbolic size (`a == 1`) is a guard. The functions ask them in the order in which torch does.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from breaklint.recompiles.objects import UNKNOWN as ANY
from breaklint.recompiles.objects import Tensor, Unknown
from breaklint.recompiles.python_operations import StandIn, run_python
from breaklint.recompiles.scopes import Raised, Undecided
from breaklint.recompiles.symbols import Sym, concrete, specialised, symbolic

Shape = tuple[Any, ...]


def is_unknown(size: Any) -> bool:
    """Whether nothing is known of a size."""
    return isinstance(size, Unknown)


def number(value: Any) -> Any:
    """A size, a place or a step that an operation is given; the program raises where it gives something else."""
    if isinstance(value, StandIn):
        return ANY
    if not isinstance(value, (int, float, Sym)):
        raise Raised
    return value


def numbers(values: Any) -> tuple[Any, ...]:
    """Sizes in a list or a tuple."""
    if isinstance(values, StandIn):
        raise Undecided
    return tuple(map(number, values)) if isinstance(values, (list, tuple)) else (number(values),)


def quotient(size: Any, divisor: Any) -> Any:
    """A size in whole parts."""
    return run_python(operator.floordiv, size, divisor)


def broadcast(left: Shape | None, right: Shape | None) -> Shape | None:
    """The sizes of an elementwise operation."""
    if left is None or right is None:
        return None
    count = max(len(left), len(right))
    sizes = []
    for one, other in zip(
        (1,) * (count - len(left)) + tuple(left), (1,) * (count - len(right)) + tuple(right), strict=True
    ):
        if is_unknown(one) or is_unknown(other):
            known = other if is_unknown(one) else one
            sizes.append(ANY if is_unknown(known) or concrete(known) == 1 else known)
        elif one == 1:
            sizes.append(other)
        elif other == 1 or one == other:
            sizes.append(one)
        else:
            raise Raised
    return tuple(sizes)


def product(sizes: Sequence[Any]) -> Any:
    """The number of elements."""
    result: Any = 1
    for size in sizes:
        if is_unknown(size):
            return ANY
        result = result * size
    return result


def dimension(dim: Any, count: int) -> int:
    """A dimension counted from the front."""
    number = run_python(operator.index, specialised(dim))
    place: int = number + count if number < 0 else number
    if not 0 <= place < max(count, 1):  # a tensor without dimensions takes 0 and -1
        raise Raised
    return place


def view(shape: Shape | None, sizes: Sequence[Any], contiguous: bool = True) -> Shape:
    """The sizes of `view` and `reshape`, with `-1` worked out."""
    wanted = _without_free(shape, sizes)
    if shape is not None and not any(is_unknown(size) for size in (*shape, *wanted)):
        _compare_dimensions(shape, wanted, contiguous)
    return wanted


def _compare_dimensions(shape: Shape, sizes: Shape, contiguous: bool) -> None:
    """The questions of torch's algorithm, which builds one size after the other of what is left of the old ones."""
    is_flat = contiguous and (len(sizes) == 1 or (len(sizes) == 2 and len(shape) == 1))
    if is_flat or not shape or not any(isinstance(size, Sym) for size in (*shape, *sizes)):
        return
    left = list(shape)
    for place, length in enumerate(sizes):
        if place >= len(left):
            return
        if length == left[place]:
            continue
        total, end = left[place], place
        while total % length != 0:
            end += 1
            if end >= len(left):
                return
            total = total * left[end]
        if end != place and not contiguous:
            return
        left[place : end + 1] = [total]
        if total != length:
            left[place : place + 1] = [length, total // length]


def _without_free(shape: Shape | None, sizes: Sequence[Any]) -> Shape:
    wanted = [*sizes]
    free = [place for place, size in enumerate(wanted) if not is_unknown(size) and _is_minus_one(size)]
    total = ANY if shape is None else product(shape)
    rest = product([size for place, size in enumerate(wanted) if place not in free])
    if is_unknown(total) or is_unknown(rest):
        return tuple(ANY if place in free else size for place, size in enumerate(wanted))
    if free:
        if not run_python(operator.mod, total, rest) == 0:
            raise Raised
        wanted[free[0]] = total // rest
    elif total != rest:
        raise Raised
    return tuple(wanted)


def _is_minus_one(size: Any) -> bool:
    return not isinstance(size, Sym) and size == -1


def matmul(left: Shape | None, right: Shape | None) -> Shape | None:
    """The sizes of a matrix product."""
    if left is None or right is None:
        return None
    if not left or not right:
        raise Raised
    inner = right[-2] if len(right) > 1 else right[-1]
    if not is_unknown(left[-1]) and not is_unknown(inner) and not left[-1] == inner:
        raise Raised
    if len(left) == 1 and len(right) == 1:
        return ()
    if len(right) == 1:
        return left[:-1]
    if len(left) == 1:
        return (*right[:-2], right[-1])
    batch = left[:-2] if left[:-2] == () or right[:-2] == () else broadcast(left[:-2], right[:-2])
    return (*(batch or right[:-2]), left[-2], right[-1])


def concatenated(shapes: Sequence[Shape | None], dim: Any) -> Shape | None:
    """The sizes of `torch.cat`."""
    known = [shape for shape in shapes if shape is not None and shape != (0,)]
    if len(known) < len(shapes) or not known:
        return None
    place = dimension(dim, len(known[0]))
    sizes = list(known[0])
    for shape in known[1:]:
        for index, size in enumerate(shape):
            if index == place:
                sizes[index] = ANY if is_unknown(sizes[index]) or is_unknown(size) else sizes[index] + size
            elif not is_unknown(size) and not is_unknown(sizes[index]) and sizes[index] != size:
                raise Raised
    return tuple(sizes)


def sliced(size: Any, part: slice) -> Any:
    """The size that a slice leaves, with the guards of torch on where it begins and ends."""
    start, stop, step = (None if each is None else number(each) for each in (part.start, part.stop, part.step))
    step = 1 if step is None else step
    if any(is_unknown(each) for each in (size, step, start, stop)):
        return ANY
    has_bounds = start is not None or stop is not None
    start, stop = _bound(start, size, 0), _bound(stop, size, size)
    if not isinstance(stop - start, Sym) and not stop - start > 0:
        return 0
    length = stop - start
    if isinstance(length, Sym) and has_bounds and length.val <= 0:
        return 0 if not length > 0 else length
    return length if not isinstance(step, Sym) and step == 1 else quotient(length + step - 1, step)


def _bound(place: Any, size: Any, default: Any) -> Any:
    if place is None:
        return default
    if isinstance(place, Sym) or isinstance(size, Sym):
        if place >= 0 and place <= size:
            return place
        if place < 0 and place >= -size:
            return place + size
        return size if place > size else 0
    return min(max(place + size if place < 0 else place, 0), size)


def reduced(shape: Shape | None, dims: Any, keep: bool) -> Shape | None:
    """The sizes of a reduction over some dimensions, over all for None."""
    if dims is None:
        return () if not keep or shape is None else (1,) * len(shape)
    if shape is None:
        return None
    given = dims if isinstance(dims, (tuple, list)) else [dims]
    places = {dimension(dim, len(shape)) for dim in given}
    if not places:
        return ()
    if keep:
        return tuple(1 if place in places else size for place, size in enumerate(shape))
    return tuple(size for place, size in enumerate(shape) if place not in places)


def window(size: Any, kernel: Any, stride: Any, padding: Any, dilation: Any = 1, up: bool = False) -> Any:
    """The size that a convolution or pooling gives."""
    if any(is_unknown(each) for each in (size, kernel, stride, padding, dilation)) or isinstance(padding, str):
        return size if padding == "same" else ANY
    total = size + 2 * padding - dilation * (kernel - 1) - 1
    return -quotient(-total, stride) + 1 if up else quotient(total, stride) + 1


def each_of(value: Any, count: int) -> tuple[Any, ...]:
    """An option of a layer for each of its dimensions."""
    sizes = tuple(value) if isinstance(value, (tuple, list)) else (value,) * count
    if len(sizes) != count:
        raise Raised
    return tuple(size if size is None or isinstance(size, StandIn) else number(size) for size in sizes)


def scaled(size: Any, factor: Any) -> Any:
    """A size times a factor, as `interpolate` rounds it."""
    if is_unknown(size) or is_unknown(factor):
        return ANY
    if isinstance(size, Sym) or isinstance(factor, Sym):
        return symbolic("floor", size * factor)
    return math.floor(size * factor)


def einsum(equation: str, shapes: Sequence[Shape | None]) -> Shape | None:
    """The sizes of `torch.einsum`."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    sizes: dict[str, Any] = {}
    for letters, shape in zip(left.split(","), shapes, strict=True):
        if shape is None or "." in letters or len(letters) != len(shape):
            return None
        for letter, size in zip(letters, shape, strict=True):
            known = sizes.setdefault(letter, size)
            if not is_unknown(known) and not is_unknown(size) and known is not size and known != size:
                sizes[letter] = size if known == 1 else known
    if not arrow:
        right = "".join(sorted(letter for letter in sizes if left.count(letter) == 1))
    return tuple(sizes[letter] for letter in right)


def indexed(tensor: Tensor, key: Any, newaxis: Callable[[Any], bool]) -> Shape | None:
    """The sizes of `tensor[key]`."""
    if tensor.shape is None:
        return None
    keys = list(key) if isinstance(key, tuple) else [key]
    named = sum(1 for each in keys if not newaxis(each) and each is not Ellipsis and not isinstance(each, bool))
    if Ellipsis in [each for each in keys if not isinstance(each, (Tensor, Sym, Unknown))]:
        place = next(index for index, each in enumerate(keys) if each is Ellipsis)
        keys[place : place + 1] = [slice(None)] * (len(tensor.shape) - named)
    sizes: list[Any] = []
    advanced: Shape | None = None
    at, where = 0, None
    for each in keys:
        if newaxis(each):
            sizes.append(1)
        elif at >= len(tensor.shape):
            raise Raised
        elif isinstance(each, slice):
            size = sliced(tensor.shape[at], each) if each != slice(None) else tensor.shape[at]
            if at and isinstance(size, Sym):
                _ = bool(size == tensor.shape[at])  # whether what is left is contiguous
            sizes.append(size)
            at += 1
        elif isinstance(each, (Tensor, list)):
            shape = each.shape if isinstance(each, Tensor) else (len(each),)
            if shape is None or (isinstance(each, Tensor) and each.dtype == "bool"):
                return None
            advanced = shape if advanced is None else broadcast(advanced, shape)
            where = len(sizes) if where is None else where
            at += 1
        elif isinstance(each, Unknown):
            return None
        else:
            at += 1
    if advanced is not None and where is not None:
        sizes[where:where] = advanced
    return (*sizes, *tensor.shape[at:])
