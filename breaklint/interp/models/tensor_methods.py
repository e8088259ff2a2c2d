"""Methods of tensors."""

from __future__ import annotations

from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import Method
from breaklint.interp.containers import Sequence
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.models import constants, torch_results
from breaklint.interp.models.torch_names import POINTER, UNMEASURED
from breaklint.interp.predicates import is_static
from breaklint.interp.values import (
    SIZE,
    SIZED_BY_DATA,
    TENSOR,
    Array,
    Const,
    ExternalInstance,
    Number,
    Shape,
    Static,
    Tensor,
    constant_kind,
)

# No schema: the dtype of their result is that of an argument.
UNTYPED: Final = frozenset({"to", "type", "type_as", "new", "new_tensor"})
# Not measured, because they need a device or change the process. They return a tensor like their input.
MOVES: Final = frozenset({"cuda", "xpu", "mps", "pin_memory", "share_memory_", "apply_"})
# No schema: names of methods that objects of other libraries do not have; all of them are in the facts.
ONLY_TENSORS: Final = frozenset(
    (
        "float long half double byte bfloat16 squeeze unsqueeze permute contiguous view_as masked_fill "
        "masked_fill_ detach unsqueeze_ squeeze_ softmax log_softmax scatter_ gather sigmoid matmul bmm addmm "
        "expand_as requires_grad_ new_zeros new_ones new_full new_tensor new_empty index_select cuda narrow "
        "type_as transpose_ zero_ fill_ mul_ add_ sub_ div_ clamp_ relu_ logsumexp"
    ).split()
)
# Names that other objects also have, with a tensor as argument (`block.norm(x)`): without one they are methods of
# tensors.
OF_TENSORS_ALONE: Final = frozenset("exp expm1 log1p rsqrt sqrt tanh relu norm amax amin logsumexp softmax".split())
STORAGES: Final = {"untyped_storage": "torch.UntypedStorage", "storage": "torch.TypedStorage"}


def call(frame: Frame, owner: Tensor, name: str, arguments: Arguments) -> Value:
    """The result of `owner.name(...)`."""
    value = _result(frame, owner, name, arguments)
    if not constants.is_constant(owner):
        return value
    return constants.of_operator(frame.interp.facts, name, value, (owner, *arguments.args, *arguments.kwargs.values()))


def _result(frame: Frame, owner: Tensor, name: str, arguments: Arguments) -> Value:
    if name in ("size", "dim", "ndimension", "numel", "nelement", "stride", "storage_offset", "element_size"):
        return _sizes(owner, name, arguments)
    if name == "data_ptr":
        return ExternalInstance(POINTER)
    if name in STORAGES:
        return ExternalInstance(STORAGES[name])
    if name == "item":
        return Number(owner.dtype if owner.dtype in ("bool", "int", "float") else "")
    if name == "tolist":
        return Number(owner.dtype) if owner.ndim == 0 else Sequence(Number(owner.dtype) if owner.ndim == 1 else UNKNOWN)
    if name in ("numpy", "__array__"):
        return Array(owner.dtype, owner.ndim)
    if name in MOVES:
        return Tensor(owner.dtype, owner.ndim)
    if name in UNTYPED:
        return _cast(owner, name, arguments)
    if name in ("view", "reshape", "expand", "repeat", "permute", "resize_"):
        return _reshape(owner, name, arguments)
    if name.startswith("to_sparse"):
        return Tensor(owner.dtype, owner.ndim, role="sparse")
    if name in ("to_dense",):
        return Tensor(owner.dtype, owner.ndim)
    fact = frame.interp.facts.method(name)
    if fact is None and name.endswith("_") and not name.endswith("__"):
        return Tensor(owner.dtype, owner.ndim)  # by their name they return the tensor that they change
    if fact is None:
        return TENSOR if name in UNMEASURED else UNKNOWN
    value = torch_results.of_fact(fact, name, Arguments([owner, *arguments.args], arguments.kwargs, arguments.starred))
    return (
        Tensor("", value.ndim)
        if isinstance(value, Tensor) and "dtype" in arguments.kwargs and value.dtype != "bool"
        else value
    )


def call_unknown(name: str, arguments: Arguments) -> Value:
    """The result of a method of an unknown value: a few names exist on tensors only."""
    if name in ONLY_TENSORS:
        return Tensor({"float": "float", "half": "float", "double": "float", "long": "int"}.get(name, ""))
    if (
        name in OF_TENSORS_ALONE
        and not arguments.starred
        and all(map(is_static, (*arguments.args, *arguments.kwargs.values())))
    ):
        return TENSOR
    return Array() if name == "numpy" and not arguments.args else UNKNOWN


def _sizes(owner: Tensor, name: str, arguments: Arguments) -> Value:
    first = arguments.get(0, "dim") == Const(0)
    if owner.role == SIZED_BY_DATA and (name in ("numel", "nelement") or (name == "size" and first)):
        return Number("int")
    if name == "size":
        return SIZE if arguments.args or arguments.kwargs else Shape(owner.ndim)
    if name in ("dim", "ndimension"):
        return Static("int") if owner.ndim is None else Const(owner.ndim)
    return SIZE if name in ("numel", "nelement") or arguments.args else Static("")


def _cast(owner: Tensor, name: str, arguments: Arguments) -> Value:
    if name == "type" and not arguments.args and not arguments.kwargs:
        return Static("str")
    if name == "new":
        return Tensor(owner.dtype)
    if name in ("type_as", "to") and arguments.args and isinstance(arguments.args[0], Tensor):
        return Tensor(arguments.args[0].dtype, owner.ndim)
    if name == "to" and arguments.args and _is_device(arguments.args[0]):
        return Tensor(owner.dtype if len(arguments.args) == 1 and "dtype" not in arguments.kwargs else "", owner.ndim)
    return Tensor("", owner.ndim)


def _is_device(value: Value) -> bool:
    """Whether a value is a device: a string, an object, or `.device` of an unknown value."""
    return constant_kind(value) in ("str", "device") or (isinstance(value, Method) and value.name == "device")


def _reshape(owner: Tensor, name: str, arguments: Arguments) -> Value:
    sizes = arguments.args
    if len(sizes) == 1 and not isinstance(sizes[0], Const | type(SIZE)) and constant_kind(sizes[0]) != "int":
        only = sizes[0]
        items = getattr(only, "items", None)
        if name == "view" and constant_kind(only) == "dtype":
            return Tensor("", owner.ndim)
        ndim = len(items) if items is not None else only.ndim if isinstance(only, Shape) else None
    else:
        ndim = len(sizes) or None
    if name == "permute" and owner.ndim is not None:
        ndim = owner.ndim
    return Tensor(owner.dtype, None if arguments.starred else ndim)
