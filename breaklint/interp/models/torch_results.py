"""The value of a call of a torch function, by a measured fact about the function."""

from __future__ import annotations

from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.lattice import UNKNOWN, Union, Unknown, Value, join
from breaklint.interp.models import ranks
from breaklint.interp.values import NONE, Array, Const, Number, Shape, Size, Static, Tensor, constant_kind, without_none
from breaklint.torchops.results import OpFact, Result
from breaklint.torchops.signatures import signature_of

# Kinds of results in the facts, and the Python types.
NUMBERS: Final = {"int": "int", "float": "float", "bool": "bool", "complex": "complex", "number": ""}
# No schema: the parameters of losses that decide whether the result is a scalar.
REDUCING: Final = frozenset({"reduction", "reduce", "size_average"})
LOSSES: Final = "torch.nn.functional."
# The rank of their result depends on both operands, on a string or on sizes: the one measured call does not determine
# it.
UNSTEADY_RANK: Final = frozenset(
    (
        "einsum tensordot matmul cdist bilinear kron dot inner vecdot squeeze squeeze_ squeeze_copy take tile "
        "expand_as view_as reshape_as resize_as resize_as_ repeat_interleave corrcoef cov diag quantile nanquantile "
        "slice_inverse det logdet"
    ).split()
)
# No schema: the rank of their result is the same for any argument.
PLACES: Final = frozenset({"nonzero", "argwhere"})

# No schema: flags that add results to a tensor.
FLAGS: Final = frozenset({"return_indices", "return_inverse", "return_counts"})


def of_fact(fact: OpFact, name: str, arguments: Arguments) -> Value:
    """The result of a call with these arguments; for a method the first argument is the tensor itself."""
    if name.rpartition(".")[2] in PLACES:
        return _places(arguments)
    if not FLAGS.isdisjoint(arguments.kwargs):  # `torch.unique(x, return_inverse=True)`
        several: Value = Sequence(Tensor(), kind="tuple")
        return several if Const(True) in arguments.kwargs.values() else join(several, Tensor())
    result = fact.result(_leading_tensors(arguments), dim=_has_dim(arguments), number=_number_second(arguments))
    first = without_none(arguments.args[0]) if arguments.args else UNKNOWN
    return of_result(result, first, name, arguments)


def of_result(result: Result, first: Value, name: str, arguments: Arguments) -> Value:
    """The value that a `Result` describes; `first` is the leading tensor argument."""
    if result.kind == "tensor":
        return Tensor(_dtype(result, first, arguments), _ndim(result, first, name, arguments))
    if result.kind == "tuple":
        return Tuple(tuple(of_result(item, first, name, arguments) for item in result.items))
    if result.kind == "list":
        inner = of_result(result.items[0], first, name, arguments) if result.items else UNKNOWN
        return Sequence(inner, kind="tuple" if name != "tolist" else "list")
    if result.kind in NUMBERS:
        return Number(NUMBERS[result.kind]) if result.data_dependent else Static(NUMBERS[result.kind])
    if result.kind in ("size", "none", "dtype", "device", "string"):
        return {"size": Shape(), "none": NONE, "string": Static("str")}.get(result.kind) or Static(result.kind)
    return UNKNOWN


def _places(arguments: Arguments) -> Value:
    """The indices of nonzero elements: one row each, or with `as_tuple` one vector per dimension."""
    as_tuple = arguments.kwargs.get("as_tuple", Const(False))
    if isinstance(as_tuple, Const):
        return Sequence(Tensor("int", 1), kind="tuple") if as_tuple.value else Tensor("int", 2)
    return UNKNOWN


def _leading_tensors(arguments: Arguments) -> int:
    count = 0
    for value in arguments.args:
        if not isinstance(without_none(value), (Tensor, Array)):
            break
        count += 1
    if arguments.kwargs:
        count += sum(isinstance(arguments.kwargs.get(name), Tensor) for name in ("other", "input2", "min", "max"))
    return count


def _has_dim(arguments: Arguments) -> bool:
    kwargs = arguments.kwargs
    return bool(kwargs) and any(name in kwargs and kwargs[name] != NONE for name in ("dim", "axis"))


def _number_second(arguments: Arguments) -> bool:
    return (
        len(arguments.args) > 1
        and isinstance(arguments.args[1], (Const, Static, Size, Tuple, Sequence, Union))
        and arguments.args[1] != NONE
    )


def _dtype(result: Result, first: Value, arguments: Arguments) -> str:
    explicit = arguments.kwargs.get("dtype")
    if explicit is not None and explicit != NONE:
        return ""
    before = first.dtype if isinstance(first, (Tensor, Array)) else ""
    if result.dtype == "same":
        return _promote(before, arguments)
    if result.dtype == "float":
        return "complex" if before == "complex" else "float"
    if result.dtype == "sum":
        return "int" if before == "bool" else before
    return result.dtype if result.dtype in ("bool", "int", "complex") else ""


def _promote(before: str, arguments: Arguments) -> str:
    """The dtype after promotion of the first tensor by later tensors."""
    others = {value.dtype for value in arguments.args[1:3] if isinstance(value, Tensor)}
    return before if others <= _NOT_PROMOTING.get(before, {before}) else ""


_NOT_PROMOTING: Final = {  # by the class of a dtype: the classes of others that leave it as it is
    "int": {"bool", "int"},
    "float": {"bool", "int", "float"},
    "complex": {"bool", "int", "float", "complex"},
}


def _ndim(result: Result, first: Value, name: str, arguments: Arguments) -> int | None:
    before = first.ndim if isinstance(first, (Tensor, Array)) else None
    if arguments.starred or _may_keep_elements(name, arguments):
        return None
    rank = ranks.of_call(name.rpartition(".")[2], arguments)
    if rank is not None:
        return rank
    if name.rpartition(".")[2] in UNSTEADY_RANK:
        return None
    if result.shape == "scalar":
        return 0
    if result.shape in ("same", "rank"):
        return _broadcast(before, arguments) if result.shape == "same" else _unless_broadcast(before, arguments)
    if result.shape == "less":
        return _reduced_rank(before, arguments)
    return None


def _may_keep_elements(name: str, arguments: Arguments) -> bool:
    """Whether an argument of a loss, by name or by position, sets the reduction."""
    if not REDUCING.isdisjoint(arguments.kwargs):
        return True
    signature = signature_of(name) if name.startswith(LOSSES) else None
    places = (signature.parameter(place) for place in range(2, len(arguments.args))) if signature is not None else ()
    return any(parameter is not None and parameter.name in REDUCING for parameter in places)


def _broadcast(before: int | None, arguments: Arguments) -> int | None:
    ndims = _later_ranks(before, arguments)
    if before is None or None in ndims:
        return None
    return max([before, *(n for n in ndims if n is not None)])


def _unless_broadcast(before: int | None, arguments: Arguments) -> int | None:
    """The rank of the first tensor; None if a later one has a higher or unknown rank."""
    ndims = _later_ranks(before, arguments)
    return None if before is None or any(ndim is None or ndim > before for ndim in ndims) else before


def _later_ranks(before: int | None, arguments: Arguments) -> list[int | None]:
    """The ranks of the tensors after the first. After a scalar, an unknown value counts as a tensor of unknown rank;
    after other tensors it counts as a number or a tensor of lower rank."""
    later = arguments.args[1:3]
    return [
        value.ndim if isinstance(value, Tensor) else None
        for value in later
        if isinstance(value, Tensor) or (not before and isinstance(value, Unknown))
    ]


def _reduced_rank(before: int | None, arguments: Arguments) -> int | None:
    keep = (
        arguments.kwargs.get("keepdim")
        or arguments.kwargs.get("keepdims")
        or (arguments.args[2] if len(arguments.args) > 2 else None)
    )
    if before is None or (keep is not None and keep not in (Const(True), Const(False))):
        return None
    if keep == Const(True):
        return before
    dim = (
        arguments.kwargs.get("dim")
        or arguments.kwargs.get("axis")
        or (arguments.args[1] if len(arguments.args) > 1 else None)
    )
    if isinstance(dim, Tuple):
        return max(before - len(dim.items), 0)
    return max(before - 1, 0) if dim is not None and constant_kind(dim) == "int" else None
