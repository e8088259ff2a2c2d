"""Operations on tensors by name: the sizes of their results. `torch.add`, `x.add` and `F.relu` are `add` and `relu`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final

from breaklint.recompiles import shapes
from breaklint.recompiles.objects import UNKNOWN, Tensor, Unknown
from breaklint.recompiles.python_operations import run_model, run_python
from breaklint.recompiles.scopes import Undecided
from breaklint.recompiles.symbols import Sym, concrete, is_made_of_float, specialised

Operation = Callable[..., Any]
TABLE: Final[dict[str, Operation]] = {}
# Sizes of the result are those of the first tensor: a schema has the types of arguments alone.
SAME: Final = frozenset(
    "relu relu_ gelu silu sigmoid tanh exp log sqrt rsqrt abs neg sin cos softmax log_softmax softplus elu selu "
    "leaky_relu clone detach contiguous float half double long int bool to type cuda cpu requires_grad_ cumsum cumprod "
    "round floor ceil sign normalize layer_norm rms_norm group_norm batch_norm instance_norm dropout dropout_ "
    "feature_dropout masked_fill masked_fill_ triu tril roll flip clamp clamp_ clip clamp_min clamp_max erf tan "
    "reciprocal square hardswish hardsigmoid mish relu6 sigmoid_ tanh_ logical_not bitwise_not isnan isinf isfinite "
    "zeros_like ones_like rand_like randn_like empty_like full_like bernoulli nan_to_num type_as bfloat16 "
    "alpha_dropout log1p expm1 log2 log10 positive fill_ zero_ copy_ add_ sub_ mul_ div_ sort argsort softmin hardtanh "
    "celu logsigmoid glu_ index_fill index_add scatter scatter_ scatter_add scatter_add_ renorm trunc frac atan sinh "
    "cosh acos asin nested_compile view_as_ real angle polar_ gumbel_softmax local_response_norm data T_ ".split()
)
# Elementwise operations: a schema does not say that sizes are broadcast.
BINARY: Final = frozenset(
    "add sub mul div true_divide floor_divide remainder fmod pow maximum minimum eq ne lt le gt ge logical_and "
    "logical_or logical_xor bitwise_and bitwise_or bitwise_xor atan2 where lerp addcmul addcdiv hypot mse_loss_ rsub "
    "prelu_ logaddexp copysign".split()
)
# Those whose result is of truth values.
COMPARING: Final = frozenset(
    "eq ne lt le gt ge logical_and logical_or logical_xor logical_not isnan isinf isfinite".split()
)
# Those that drop the dimensions `dim`: a schema does not say what becomes of sizes.
REDUCING: Final = frozenset(
    "sum mean amax amin prod std var norm logsumexp any all argmax argmin count_nonzero nansum nanmean median max min "
    "aminmax".split()
)
# Counted: a float argument of these is fixed by a guard.
FIXING_FLOATS: Final = frozenset(
    "dropout layer_norm rms_norm group_norm batch_norm instance_norm linspace normalize cross_entropy".split()
)
# The dtype that a method of this name gives.
CASTS: Final = {
    "float": "float32",
    "half": "float16",
    "double": "float64",
    "long": "int64",
    "int": "int32",
    "bool": "bool",
}


def operation(*names: str) -> Callable[[Operation], Operation]:
    """Enter a function in the table under its names."""

    def enter(function: Operation) -> Operation:
        for name in names:
            TABLE[name] = function
        return function

    return enter


def first_tensor(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor | None:
    """The tensor that an operation begins with."""
    for each in (*args, *kwargs.values()):
        if isinstance(each, Tensor):
            return each
        if isinstance(each, (list, tuple)) and each and isinstance(each[0], Tensor):
            return each[0]
    return None


def apply(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of an operation; a tensor of unknown sizes where nothing is known of it."""
    try:
        return _result(name, args, kwargs)
    except Undecided:
        tensor = first_tensor(args, kwargs)
        return Tensor(None) if tensor is None else tensor.like(None)


def _result(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    fixes_floats = name in FIXING_FLOATS or name.endswith("_loss")
    args = tuple(_input(each, fixes_floats) for each in args)
    kwargs = {key: _input(each, fixes_floats) for key, each in kwargs.items()}
    if name in TABLE:
        return run_model(TABLE[name], *args, **kwargs)
    tensor = first_tensor(args, kwargs)
    if name in SAME and tensor is not None:
        return _same(name, tensor, args, kwargs)
    if name in BINARY:
        return binary(name, *(each for each in (*args, *kwargs.values())))
    if name.endswith("_loss") or name == "cross_entropy":
        return (tensor or Tensor(())).like(() if kwargs.get("reduction") != "none" else None)
    if name in REDUCING and tensor is not None:
        return _reduced(name, tensor, args, kwargs)
    return Tensor(None) if tensor is None else tensor.like(None)


def _input(value: Any, fixes_floats: bool) -> Any:
    """An argument as the operation takes it: an int that is computed from a float argument is fixed."""
    if isinstance(value, Sym) and (fixes_floats if isinstance(value.val, float) else is_made_of_float(value.expr)):
        return value.specialise()
    return value


def _same(name: str, tensor: Tensor, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    dtype = CASTS.get(name, "bool" if name in COMPARING else "")
    if name in ("to", "type") or "dtype" in kwargs:
        dtype = next((str(each).removeprefix("torch.") for each in (*args, kwargs.get("dtype")) if _is_dtype(each)), "")
    made = tensor.like(tensor.shape, dtype)
    if name in ("requires_grad_", "detach"):
        made.requires_grad = name != "detach"
    if name in ("masked_fill", "masked_fill_", "type_as") and name != "type_as" and len(args) > 1:
        mask = args[1]
        made.shape = shapes.broadcast(tensor.shape, mask.shape) if isinstance(mask, Tensor) else tensor.shape
    return (made, made.like(made.shape, "int64")) if name == "sort" else made


def _is_dtype(value: Any) -> bool:
    return str(getattr(value, "name", "")).rpartition(".")[2] in DTYPES


# The names of dtypes, some of which are aliases.
DTYPES: Final = frozenset(
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool long float double half int complex64".split()
)


def dtype_of(value: Any, default: str = "float32") -> str:
    """The name of a dtype that is given as `torch.float16`."""
    name = str(getattr(value, "name", "")).rpartition(".")[2]
    return {"long": "int64", "float": "float32", "double": "float64", "half": "float16", "int": "int32"}.get(
        name, name if name in DTYPES else default
    )


def binary(name: str, *operands: Any) -> Tensor:
    """An elementwise operation: broadcasts the sizes of all tensors."""
    tensors = [each for each in operands if isinstance(each, Tensor)]
    shape: shapes.Shape | None = tensors[0].shape if tensors else None
    for each in tensors[1:]:
        shape = shapes.broadcast(shape, each.shape)
    if len(tensors) == 1 and shape is not None and len(operands) > 1:
        shape = shapes.broadcast(shape, ())
        for size in shape or ():
            if isinstance(size, Sym) and size == 1:
                continue
            _ = isinstance(size, Sym) and bool(size == 0)
    made = tensors[0].like(shape) if tensors else Tensor(shape)
    made.requires_grad = any(each.requires_grad for each in tensors)
    if name in COMPARING:
        made.dtype = "bool"
    return made


def _reduced(name: str, tensor: Tensor, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    rest = args[1:]
    if rest and isinstance(rest[0], Tensor):
        return binary(name, tensor, rest[0])
    first = rest[0] if rest and name != "norm" else None
    dims = kwargs.get("dim", kwargs.get("axis", first))
    if isinstance(dims, Unknown):
        return tensor.like(None)
    keep = bool(kwargs.get("keepdim", rest[1] if len(rest) > 1 and name != "norm" else False))
    shape = shapes.reduced(tensor.shape, dims, keep)
    if name == "mean":  # a sum that is divided
        shape = shapes.broadcast(shape, ())
    made = tensor.like(shape, "bool" if name in ("any", "all") else "int64" if name.startswith("arg") else "")
    if name in ("max", "min", "median") and dims is not None:
        return made, made.like(shape, "int64")
    return made


def sizes_of(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Sizes that are given one by one, or as one list."""
    return shapes.numbers(args[0] if len(args) == 1 else args)


def tensors_of(args: tuple[Any, ...]) -> list[Tensor]:
    """Tensors that are given one by one, or as one list."""
    given = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
    if not given or not all(isinstance(each, Tensor) for each in given):
        raise Undecided
    return list(given)


@operation("zeros", "ones", "empty", "rand", "randn")
def filled(*args: Any, size: Any = None, dtype: Any = None, **_: Any) -> Tensor:
    """A new tensor of given sizes."""
    return Tensor(sizes_of(args) if size is None else shapes.numbers(size), dtype_of(dtype))


@operation("full")
def full(size: Any, value: Any = 0, dtype: Any = None, **_: Any) -> Tensor:
    """A new tensor filled with a value."""
    kind = concrete(value)
    default = "bool" if isinstance(kind, bool) else "int64" if isinstance(kind, int) else "float32"
    return Tensor(shapes.numbers(size), dtype_of(dtype, default))


@operation("randint")
def randint(*args: Any, size: Any = None, dtype: Any = None, **_: Any) -> Tensor:
    """Random integers."""
    given = size if size is not None else next((each for each in args if isinstance(each, (tuple, list))), None)
    return Tensor(None if given is None else shapes.numbers(given), dtype_of(dtype, "int64"))


@operation("arange")
def arange(*args: Any, dtype: Any = None, **_: Any) -> Tensor:
    """A range of numbers."""
    given = shapes.numbers(args)
    if not 1 <= len(given) <= 3:
        raise Undecided
    start, stop, step = (0, given[0], 1) if len(given) == 1 else (*given, 1)[:3]
    if any(isinstance(each, Unknown) for each in (start, stop, step)):
        return Tensor((UNKNOWN,), "int64")
    whole = not any(isinstance(concrete(each), float) for each in (start, stop, step))
    if whole:
        size = stop - start if step == 1 else -shapes.quotient(start - stop, step)
    else:
        size = math.ceil(run_python(operator.truediv, specialised(stop) - specialised(start), specialised(step)))
    return Tensor((size,), dtype_of(dtype, "int64" if whole else "float32"))


@operation("linspace")
def linspace(start: Any, end: Any, steps: Any, **_: Any) -> Tensor:
    """Numbers between two bounds; their count is fixed."""
    return Tensor((specialised(shapes.number(steps)),))


@operation("tensor", "as_tensor", "scalar_tensor")
def tensor(value: Any, dtype: Any = None, **_: Any) -> Tensor:
    """A tensor of Python numbers."""
    if isinstance(value, Tensor):
        return value.like(value.shape, dtype_of(dtype, value.dtype))
    shape: list[Any] = []
    while isinstance(value, (list, tuple)):
        shape.append(len(value))
        value = value[0] if value else 0.0
    kind = concrete(value)
    default = "bool" if isinstance(kind, bool) else "int64" if isinstance(kind, int) else "float32"
    return Tensor(None if isinstance(value, Unknown) else tuple(shape), dtype_of(dtype, default))


@operation("eye")
def eye(n: Any, m: Any = None, **_: Any) -> Tensor:
    """A unit matrix."""
    return Tensor(shapes.numbers((n, n if m is None else m)))


@operation("view", "reshape", "_unsafe_view")
def view(x: Tensor, *args: Any, **_: Any) -> Tensor:
    """Other sizes for the same elements."""
    sizes = sizes_of(args)
    if len(sizes) == 1 and not isinstance(concrete(sizes[0]), int) and not isinstance(sizes[0], Unknown):
        return x.like(x.shape)
    return x.like(shapes.view(x.shape, sizes, not x.layout))


@operation("flatten")
def flatten(x: Tensor, start_dim: Any = 0, end_dim: Any = -1) -> Tensor:
    """Joins dimensions."""
    if x.shape is None:
        return x.like(None)
    if not x.shape:
        return x.like((1,))
    first, last = shapes.dimension(start_dim, len(x.shape)), shapes.dimension(end_dim, len(x.shape))
    joined = shapes.product(x.shape[first : last + 1])
    return x.like((*x.shape[:first], joined, *x.shape[last + 1 :]))


@operation("unflatten")
def unflatten(x: Tensor, dim: Any, sizes: Any) -> Tensor:
    """Splits a dimension."""
    if x.shape is None:
        return x.like(None)
    place = shapes.dimension(dim, len(x.shape))
    parts = shapes.view(x.shape[place : place + 1], shapes.numbers(sizes))
    return x.like((*x.shape[:place], *parts, *x.shape[place + 1 :]))


@operation("transpose", "swapaxes", "swapdims")
def transpose(x: Tensor, first: Any, second: Any) -> Tensor:
    """Swaps two dimensions."""
    if x.shape is None:
        return x.like(None)
    one, other = shapes.dimension(first, len(x.shape)), shapes.dimension(second, len(x.shape))
    sizes = list(x.shape)
    sizes[one], sizes[other] = sizes[other], sizes[one]
    made = x.like(tuple(sizes))
    made.layout = "permuted"
    return made


@operation("t")
def t(x: Tensor) -> Tensor:
    """The transposed matrix."""
    return x.like(None if x.shape is None else x.shape[::-1])


@operation("permute", "movedim")
def permute(x: Tensor, *args: Any, dims: Any = None) -> Tensor:
    """Reorders the dimensions."""
    if x.shape is None:
        return x.like(None)
    order = [shapes.dimension(each, len(x.shape)) for each in (sizes_of(args) if dims is None else dims)]
    made = x.like(tuple(x.shape[place] for place in order)) if len(order) == len(x.shape) else x.like(None)
    made.layout = "permuted"
    return made


@operation("unsqueeze")
def unsqueeze(x: Tensor, dim: Any) -> Tensor:
    """Adds a dimension of size 1."""
    if x.shape is None:
        return x.like(None)
    place = shapes.dimension(dim, len(x.shape) + 1)
    return x.like((*x.shape[:place], 1, *x.shape[place:]))


@operation("squeeze")
def squeeze(x: Tensor, dim: Any = None) -> Tensor:
    """Drops dimensions of size 1."""
    if x.shape is None:
        return x.like(None)
    places = range(len(x.shape)) if dim is None else {shapes.dimension(dim, len(x.shape))}
    kept = [size for place, size in enumerate(x.shape) if place not in places or not _is_one(size)]
    return x.like(tuple(kept))


def _is_one(size: Any) -> bool:
    return not isinstance(size, Unknown) and bool(size == 1)
