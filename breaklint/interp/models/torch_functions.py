"""Calls of torch functions and classes, and of torch.nn modules."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Unknown, Value, each
from breaklint.interp.models import constants, hooks, transforms
from breaklint.interp.models.higher_order import control_flow, passed_through
from breaklint.interp.models.torch_layers import WORK, construct
from breaklint.interp.models.torch_names import (
    BY_DTYPE,
    COMPILING,
    CONTROL_FLOW,
    CUSTOM_OP,
    DISABLED,
    DISABLING,
    NESTED,
    NOT_COMPILING,
    PASSED_THROUGH,
    SPARSE,
    TENSOR_CLASSES,
    UNMEASURED,
    WEIGHT_NORMS,
)
from breaklint.interp.models.torch_results import of_fact
from breaklint.interp.predicates import is_static, is_tensor
from breaklint.interp.values import (
    NONE,
    TENSOR,
    Array,
    Const,
    ExternalInstance,
    ExternalName,
    Number,
    Shape,
    Size,
    Static,
    Tensor,
    constant_kind,
    python_kind,
)
from breaklint.project.syntax import keyword_of, name_of_variable

# Functions of torch that join the tensors of a sequence.
JOINING: Final = frozenset({"stack", "cat", "concat", "concatenate", "hstack", "vstack"})
# The results of functions that have the same one for all arguments.
RESULTS: Final[dict[str, Value]] = {
    **dict.fromkeys(COMPILING, Const(True)),
    **dict.fromkeys(NOT_COMPILING, Const(False)),
    **{
        f"torch.{name}": Static("bool")
        for name in ("is_floating_point", "is_complex", "is_grad_enabled", "is_autocast_enabled")
    },
    **{f"torch.{name}": Static("") for name in ("device", "dtype", "finfo", "iinfo", "get_default_dtype")},
    "torch.Size": Shape(),
}


def call(frame: Frame, node: ast.expr, name: str, arguments: Arguments) -> Value:
    """The result of a call of a function of torch."""
    if name in DISABLING and arguments.get(0) is not None:
        return ExternalInstance(DISABLED)
    if name in RESULTS:
        return RESULTS[name]
    if name in transforms.TRANSFORMS:
        return transforms.transform(name, arguments)
    if name == transforms.FUNCTIONAL_CALL:
        return transforms.functional_call(frame, node, arguments)
    if name in WEIGHT_NORMS:
        return each(arguments.get(0, "module") or UNKNOWN, hooks.with_weight_hook)
    if name in PASSED_THROUGH:
        return passed_through(frame, node, name, arguments)
    if name in CONTROL_FLOW:
        return control_flow(frame, node, name, arguments)
    if name == CUSTOM_OP and len(arguments.args) > 1 and isinstance(operator_name := arguments.args[0], Const):
        return ExternalName(f"torch.ops.{str(operator_name.value).replace('::', '.')}")
    short = name.rpartition(".")[2]
    if name in ("torch.jit.script", "torch.jit.trace"):
        function = arguments.get(0)  # Dynamo traces the Python function of a scripted one
        return (
            function
            if isinstance(function, (Function, ClassValue)) and short == "script"
            else ExternalInstance("torch.jit.ScriptModule")
        )
    if name.startswith("torch.nn.") and short[:1].isupper():
        return construct(name, arguments)
    if name in ("torch.autograd.Variable", "torch.autograd.variable.Variable"):
        value = arguments.get(0, "data")
        return value if value is not None and is_tensor(value) else TENSOR
    if name in SPARSE or (name in NESTED and "layout" not in arguments.kwargs):
        return Tensor(role="sparse")
    if short in TENSOR_CLASSES and name.count(".") <= 2:
        return Tensor(TENSOR_CLASSES[short])
    special = _special(frame, name, short, arguments)
    if special is not None:
        return _with_dtype(special, node)
    fact = frame.interp.facts.function(name) or frame.interp.facts.function(name.replace("torch.functional.", "torch."))
    if fact is not None and fact.pointwise and len(arguments.args) > 1 and all(map(is_static, arguments.args)):
        return Static("")  # `torch.div(x.size(0), 2, rounding_mode="floor")`: a constant for Dynamo
    if fact is not None:
        value = _with_dtype(of_fact(fact, name, arguments), node)
        return constants.of_operator(frame.interp.facts, short, value, (*arguments.args, *arguments.kwargs.values()))
    if short[:1].isupper():
        return ExternalInstance(name)
    operator = short in UNMEASURED and name.rpartition(".")[0] in ("torch", "torch.nn.functional", "torch.linalg")
    return TENSOR if operator else UNKNOWN


def _special(frame: Frame, name: str, short: str, arguments: Arguments) -> Value | None:
    first = arguments.get(0)
    if name == "torch.is_tensor":
        return Const(True) if isinstance(first, Tensor) and not first.assumed else Static("bool")
    if name.startswith("torch.distributed.") and "async_op" in arguments.kwargs:
        return NONE if arguments.kwargs["async_op"] == Const(False) else ExternalInstance(WORK)
    if name.startswith("torch.nn.utils.") and short in ("clip_grad_norm_", "get_total_norm"):
        return Tensor("float", 0)
    if name in ("torch.tensor", "torch.as_tensor", "torch.asarray"):
        return constants.from_numbers(_from_data(first, arguments), first)
    if name == "torch.from_numpy":
        return Tensor(first.dtype, first.ndim) if isinstance(first, Array) else TENSOR
    dtype = _factory_dtype(frame, name)
    if dtype is not None:
        return _tensor_of_size(dtype, arguments, _has_variadic_size(frame, name))
    if name == "torch.nn.Transformer.generate_square_subsequent_mask":  # a Python function: no schema
        return Tensor("float" if "dtype" not in arguments.kwargs else "", 2)
    if name in ("torch.cartesian_prod", "torch.combinations"):  # a row for each choice
        pairs = len(arguments.args) > 1 or name == "torch.combinations"
        return Tensor(first.dtype if isinstance(first, Tensor) else "", 2 if pairs and not arguments.starred else None)
    if name.removeprefix("torch.") in JOINING:
        return _concatenation(short, first)
    if name == "torch.broadcast_tensors" or name == "torch.meshgrid":
        return Sequence(TENSOR, kind="tuple")
    if name == "torch.where" and len(arguments.args) + len(arguments.kwargs) >= 3:
        return _where(arguments)
    if name == "torch.where" and len(arguments.args) + len(arguments.kwargs) == 1:
        return Sequence(Tensor("int", 1), kind="tuple")
    if name == "torch.randperm":
        return Tensor("int", 1)
    if name == "torch.randint":
        size = arguments.get(len(arguments.args) - 1, "size") or UNKNOWN
        return Tensor("int", _tensor_of_size("int", Arguments([], {"size": size}), False).ndim)
    if name in ("torch.linspace", "torch.range"):
        return Tensor("" if "dtype" in arguments.kwargs else "float", 1)
    if name == "torch.arange":
        return Tensor(
            "int" if all(constant_kind(v) == "int" for v in arguments.args) and "dtype" not in arguments.kwargs else "",
            1,
        )
    return None


def _concatenation(short: str, parts: Value | None) -> Tensor:
    """The result of a function that joins tensors; a stack has one dimension more."""
    item = None if parts is None else element_of(parts)
    if not isinstance(item, Tensor) or item.ndim is None:
        return Tensor(item.dtype) if isinstance(item, Tensor) else TENSOR
    return Tensor(item.dtype, {"stack": item.ndim + 1, "hstack": None, "vstack": None}.get(short, item.ndim))


def _where(arguments: Arguments) -> Value:
    condition, *branches = (arguments.args + list(arguments.kwargs.values()))[:3]
    sides = [value.dtype if isinstance(value, Tensor) else constant_kind(value) for value in branches]
    ndims = [
        value.ndim if isinstance(value, Tensor) else None if isinstance(value, Unknown) else 0
        for value in (condition, *branches)
    ]
    dtype = (
        sides[0]
        if sides[0] == sides[1] and sides[0] in ("bool", "int", "float")
        else "float"
        if "float" in sides
        else ""
    )
    return Tensor(dtype, None if None in ndims else max(n or 0 for n in ndims))


def _from_data(first: Value | None, arguments: Arguments) -> Tensor:
    if isinstance(first, (Tensor, Array)):
        return Tensor(first.dtype if "dtype" not in arguments.kwargs else "", first.ndim)
    if isinstance(first, (Const, Static, Size, Number)):
        kind = python_kind(first)
        return Tensor(
            kind if kind in ("bool", "int", "float") and "dtype" not in arguments.kwargs else "", 0 if kind else None
        )
    if isinstance(first, (Tuple, Sequence)):
        item = _from_data(element_of(first), Arguments([], {}))
        return Tensor(
            item.dtype if "dtype" not in arguments.kwargs else "", None if item.ndim is None else item.ndim + 1
        )
    return TENSOR


def _factory_dtype(frame: Frame, name: str) -> str | None:
    """The dtype of the result of a tensor factory ("" if another argument determines it), None for other functions."""
    fact, signature = frame.interp.facts.function(name), frame.interp.facts.signature(name)
    first = signature.parameter(0) if signature is not None else None
    factory = fact is not None and fact.plain.kind == "tensor" and not fact.plain.shape
    return fact.plain.dtype if fact is not None and factory and first is not None and first.names == ("size",) else None


def _has_variadic_size(frame: Frame, name: str) -> bool:
    """Whether the sizes may be passed one by one: `torch.zeros(2, 3)`."""
    signature = frame.interp.facts.signature(name)
    first = signature.parameter(0) if signature is not None else None
    return first is not None and first.variadic


def _tensor_of_size(dtype: str, arguments: Arguments, variadic: bool) -> Tensor:
    sizes = (
        [arguments.kwargs["size"]] if "size" in arguments.kwargs else arguments.args if variadic else arguments.args[:1]
    )
    ndim: int | None = len(sizes)
    if len(sizes) == 1 and not isinstance(sizes[0], (Const, Size)) and constant_kind(sizes[0]) != "int":
        only = sizes[0]
        items = only.items if isinstance(only, (Tuple, Sequence)) else None
        ndim = len(items) if items is not None else only.ndim if isinstance(only, Shape) else None
    return Tensor(
        "" if "dtype" in arguments.kwargs else dtype or _fill_dtype(arguments), None if arguments.starred else ndim
    )


def _fill_dtype(arguments: Arguments) -> str:
    """The dtype of a filled tensor: that of the fill value."""
    fill = arguments.get(1, "fill_value")
    kind = "" if fill is None else constant_kind(fill)
    return kind if kind in ("bool", "int", "float") else ""


def _with_dtype(value: Value, node: ast.expr) -> Value:
    """The value with the explicit `dtype=torch.bool` of a call."""
    if not isinstance(value, Tensor) or not isinstance(node, ast.Call):
        return value
    dtype = explicit_dtype(node)
    return Tensor(dtype, value.ndim, value.assumed, value.role) if dtype else value


def explicit_dtype(node: ast.Call) -> str:
    """The class of the dtype of a call's `dtype=torch.xxx`, "" if there is none."""
    dtype = keyword_of(node, "dtype")
    return BY_DTYPE.get(dtype.attr if isinstance(dtype, ast.Attribute) else name_of_variable(dtype), "")
