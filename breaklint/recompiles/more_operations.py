"""Further operations: those that join, split and index tensors, products, windows."""

from __future__ import annotations

import operator
from typing import Any

from breaklint.recompiles import shapes
from breaklint.recompiles.objects import UNKNOWN, Tensor, Unknown
from breaklint.recompiles.operations import operation, sizes_of, tensors_of
from breaklint.recompiles.python_operations import run_python
from breaklint.recompiles.scopes import Raised, Undecided
from breaklint.recompiles.symbols import specialised


@operation("expand", "broadcast_to")
def expand(x: Tensor, *args: Any) -> Tensor:
    """Repeats dimensions of size 1."""
    sizes = sizes_of(args)
    if x.shape is None:
        return x.like(None)
    old = (1,) * (len(sizes) - len(x.shape)) + tuple(x.shape)
    return x.like(tuple(have if _is_minus_one(size) else size for have, size in zip(old, sizes, strict=False)))


def _is_minus_one(size: Any) -> bool:
    return isinstance(size, int) and size == -1


@operation("expand_as", "view_as", "reshape_as")
def expand_as(x: Tensor, other: Tensor) -> Tensor:
    """The sizes of another tensor."""
    return x.like(other.shape)


@operation("repeat", "tile")
def repeat(x: Tensor, *args: Any) -> Tensor:
    """Repeats the elements."""
    times = sizes_of(args)
    if x.shape is None:
        return x.like(None)
    old = (1,) * (len(times) - len(x.shape)) + tuple(x.shape)
    if len(old) != len(times):
        raise Raised
    return x.like(tuple(a * b for a, b in zip(old, times, strict=True)))


def _unknown(*sizes: Any) -> bool:
    return any(isinstance(each, Unknown) for each in sizes)


@operation("repeat_interleave")
def repeat_interleave(x: Tensor, repeats: Any, dim: Any = None, **_: Any) -> Tensor:
    """Repeats each element."""
    if x.shape is None or isinstance(repeats, Tensor) or dim is None:
        return x.like(None)
    place = shapes.dimension(dim, len(x.shape))
    sizes = list(x.shape)
    sizes[place] = sizes[place] * shapes.number(repeats)
    return x.like(tuple(sizes))


@operation("cat", "concat", "concatenate", "hstack", "vstack")
def cat(parts: Any, dim: Any = 0, **_: Any) -> Tensor:
    """Tensors one behind the other."""
    given = tensors_of((parts,))
    return given[0].like(shapes.concatenated([each.shape for each in given], dim))


@operation("stack")
def stack(parts: Any, dim: Any = 0, **_: Any) -> Tensor:
    """Tensors along a new dimension."""
    given = tensors_of((parts,))
    if given[0].shape is None:
        return Tensor(None)
    for each in given[1:]:
        for one, other in zip(given[0].shape, each.shape or (), strict=False):
            if not _unknown(one, other) and not one == other:
                raise Raised
    place = shapes.dimension(dim, len(given[0].shape) + 1)
    return given[0].like((*given[0].shape[:place], len(given), *given[0].shape[place:]))


@operation("split", "split_with_sizes")
def split(x: Tensor, size: Any, dim: Any = 0) -> Any:
    """Parts of a given size; how many there are is fixed."""
    if x.shape is None:
        return UNKNOWN
    place, total = _place(x, dim)
    if isinstance(size, (list, tuple)):
        return tuple(_part(x, place, each) for each in shapes.numbers(size))
    size = shapes.number(size)
    if _unknown(total, size):
        return UNKNOWN
    count = int(shapes.quotient(total + size - 1, size))
    last = total - size * (count - 1)
    return tuple(_part(x, place, size if index < count - 1 else last) for index in range(count))


@operation("chunk")
def chunk(x: Tensor, chunks: Any, dim: Any = 0) -> Any:
    """A number of parts."""
    if x.shape is None or _unknown(chunks):
        return UNKNOWN
    (place, total), count = _place(x, dim), run_python(operator.index, specialised(chunks))
    if count < 1:
        raise Raised
    if _unknown(total):
        return tuple(_part(x, place, UNKNOWN) for _ in range(count))
    if isinstance(total, int):
        size = -(-total // count)
        count = -(-total // size) if size else count
        return tuple(_part(x, place, min(size, total - size * index)) for index in range(count))
    size = (total + count - 1) // count
    return tuple(_part(x, place, size if index < count - 1 else total - size * (count - 1)) for index in range(count))


def _place(x: Tensor, dim: Any) -> tuple[int, Any]:
    """A dimension from the front, and its size."""
    if not x.shape:
        raise Raised if x.shape == () else Undecided
    place = shapes.dimension(dim, len(x.shape))
    return place, x.shape[place]


def _part(x: Tensor, place: int, size: Any) -> Tensor:
    assert x.shape is not None
    return x.like((*x.shape[:place], size, *x.shape[place + 1 :]))


@operation("unbind")
def unbind(x: Tensor, dim: Any = 0) -> Any:
    """The rows of a tensor: their number is fixed."""
    if x.shape is None:
        return UNKNOWN
    place, count = _place(x, dim)
    return tuple(x.like((*x.shape[:place], *x.shape[place + 1 :])) for _ in range(int(count)))


@operation("narrow")
def narrow(x: Tensor, dim: Any, start: Any, length: Any) -> Tensor:
    """A part of one dimension."""
    return x.like(None) if x.shape is None else _part(x, shapes.dimension(dim, len(x.shape)), shapes.number(length))


@operation("select")
def select(x: Tensor, dim: Any, index: Any) -> Tensor:
    """One index of a dimension."""
    if x.shape is None:
        return x.like(None)
    place = shapes.dimension(dim, len(x.shape))
    return x.like((*x.shape[:place], *x.shape[place + 1 :]))


@operation("index_select")
def index_select(x: Tensor, dim: Any, index: Tensor) -> Tensor:
    """Chosen indices of a dimension."""
    if x.shape is None or index.shape is None:
        return x.like(None)
    return _part(x, shapes.dimension(dim, len(x.shape)), index.shape[0] if index.shape else 1)


@operation("gather", "take_along_dim")
def gather(x: Tensor, dim: Any = 0, index: Any = None, **_: Any) -> Tensor:
    """Chosen elements."""
    return x.like(index.shape if isinstance(index, Tensor) else None)


@operation("matmul", "mm", "bmm", "__matmul__", "mv", "dot")
def matmul(x: Tensor, other: Any) -> Tensor:
    """A matrix product."""
    return x.like(shapes.matmul(x.shape, other.shape) if isinstance(other, Tensor) else None)


@operation("addmm", "baddbmm")
def addmm(x: Tensor, left: Tensor, right: Tensor, **_: Any) -> Tensor:
    """A matrix product that is added to."""
    return x.like(shapes.broadcast(shapes.matmul(left.shape, right.shape), x.shape))


@operation("outer")
def outer(x: Tensor, other: Tensor) -> Tensor:
    """An outer product."""
    return x.like((*(x.shape or (UNKNOWN,)), *(other.shape or (UNKNOWN,))))


@operation("einsum")
def einsum(equation: Any, *operands: Any) -> Tensor:
    """A sum of products by an equation."""
    if not isinstance(equation, str):
        raise Undecided
    return Tensor(shapes.einsum(equation, [each.shape for each in tensors_of(operands)]))


@operation("linear")
def linear(x: Tensor, weight: Any, bias: Any = None) -> Tensor:
    """A product with a transposed weight."""
    if not isinstance(weight, Tensor) or weight.shape is None or x.shape is None:
        return x.like(None)
    return x.like(shapes.matmul(x.shape, weight.shape[::-1]))


@operation("embedding")
def embedding(x: Tensor, weight: Any, *_: Any, **__: Any) -> Tensor:
    """Rows of a table."""
    if x.shape is None or not isinstance(weight, Tensor) or weight.shape is None:
        return Tensor(None)
    return weight.like((*x.shape, weight.shape[-1]))


@operation("one_hot")
def one_hot(x: Tensor, num_classes: Any = -1) -> Tensor:
    """A one-hot encoding."""
    count = UNKNOWN if _is_minus_one(num_classes) else shapes.number(num_classes)
    return x.like(None if x.shape is None else (*x.shape, count))


@operation("scaled_dot_product_attention")
def attention(query: Tensor, key: Tensor, value: Tensor, *_: Any, **__: Any) -> Tensor:
    """Attention: the sizes of the query, the width of the value."""
    if query.shape is None or value.shape is None:
        return query.like(None)
    return query.like((*query.shape[:-1], value.shape[-1]))


@operation("topk")
def topk(x: Tensor, k: Any, dim: Any = -1, **_: Any) -> Any:
    """The largest elements and their places."""
    made = x.like(None) if x.shape is None else _part(x, shapes.dimension(dim, len(x.shape)), shapes.number(k))
    return made, made.like(made.shape, "int64")


@operation("pad")
def pad(x: Tensor, amounts: Any, *_: Any, **__: Any) -> Tensor:
    """Adds to both ends of the last dimensions."""
    if x.shape is None or not isinstance(amounts, (tuple, list)):
        return x.like(None)
    sizes, amounts = list(x.shape), shapes.numbers(amounts)
    if len(amounts) > 2 * len(sizes):
        raise Raised
    for index in range(len(amounts) // 2):
        place = len(sizes) - 1 - index
        low, high = amounts[2 * index], amounts[2 * index + 1]
        sizes[place] = sizes[place] + low + high
    return x.like(tuple(sizes))


@operation("interpolate", "upsample")
def interpolate(x: Tensor, size: Any = None, scale_factor: Any = None, *_: Any, **__: Any) -> Tensor:
    """Another resolution."""
    if x.shape is None or _unknown(size, scale_factor):
        return x.like(None)
    count = len(x.shape) - 2
    if size is not None:
        return x.like((*x.shape[:2], *shapes.numbers(shapes.each_of(size, count))))
    factors = shapes.numbers(shapes.each_of(scale_factor, count))
    return x.like((*x.shape[:2], *(shapes.scaled(a, b) for a, b in zip(x.shape[2:], factors, strict=True))))


@operation("pixel_shuffle")
def pixel_shuffle(x: Tensor, factor: Any) -> Tensor:
    """Channels become pixels."""
    if x.shape is None or _unknown(*x.shape):
        return x.like(None)
    if len(x.shape) < 3:
        raise Raised
    *batch, channels, height, width = x.shape
    factor = shapes.number(factor)
    return x.like((*batch, shapes.quotient(channels, factor * factor), height * factor, width * factor))


@operation("unfold")
def unfold(x: Tensor, dim: Any, size: Any = None, step: Any = None, **_: Any) -> Tensor:
    """Windows over a dimension."""
    if x.shape is None or size is None or step is None:
        return x.like(None)
    (place, total), size, step = _place(x, dim), shapes.number(size), shapes.number(step)
    return x.like((*x.shape[:place], shapes.quotient(total - size, step) + 1, *x.shape[place + 1 :], size))


@operation("diagonal", "diag")
def diagonal(x: Tensor, *_: Any, **__: Any) -> Tensor:
    """Nothing is known of the sizes."""
    return x.like(None)


@operation("meshgrid")
def meshgrid(*args: Any, **_: Any) -> Any:
    """Coordinates."""
    sizes = tuple(each.shape[0] if each.shape else UNKNOWN for each in tensors_of(args))
    return tuple(Tensor(sizes) for _ in sizes)


@operation("glu")
def glu(x: Tensor, dim: Any = -1) -> Tensor:
    """Half of a dimension."""
    if x.shape is None:
        return x.like(None)
    place, size = _place(x, dim)
    return _part(x, place, shapes.quotient(size, 2))
