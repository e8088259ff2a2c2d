"""Objects of torch: constructors of torch.nn, calls of layers, methods of other objects."""

from __future__ import annotations

from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Value, join, join_all
from breaklint.interp.models.torch_names import CONTAINERS, NN_BUFFER
from breaklint.interp.models.torch_results import of_result
from breaklint.interp.values import NONE, TENSOR, Const, ExternalInstance, Tensor


def construct(name: str, arguments: Arguments) -> Value:
    """The result of a call of a class of torch.nn."""
    short = name.rpartition(".")[2]
    name = f"torch.nn.{short}"
    if short in ("Parameter", "UninitializedParameter"):
        value = arguments.get(0, "data")
        return (
            Tensor(value.dtype, value.ndim, role="parameter", sizes=value.sizes)
            if isinstance(value, Tensor)
            else Tensor("float", role="parameter")
        )
    if short == "Buffer":
        value = arguments.get(0, "data")
        if not isinstance(value, Tensor):
            return Tensor(role=NN_BUFFER)
        return Tensor(value.dtype, value.ndim, role=NN_BUFFER, sizes=value.sizes)
    if name in CONTAINERS:
        return container(name, arguments)
    if name in ("torch.nn.ModuleDict", "torch.nn.ParameterDict"):
        return _module_dict(arguments, Tensor("float", role="parameter") if short == "ParameterDict" else None)
    return UNKNOWN if "return_indices" in arguments.kwargs else ExternalInstance(name)


def container(name: str, arguments: Arguments) -> Sequence:
    """An nn.Sequential, ModuleList or ParameterList with its modules."""
    items = list(arguments.args)
    if name != "torch.nn.Sequential" or (len(items) == 1 and isinstance(items[0], Dict)):
        source = items[0] if items else Sequence(items=[])
        if isinstance(source, Dict):
            return Sequence(source.any(), list(source.items.values()) if source.rest is None else None, name)
        layers = source.items if isinstance(source, (Sequence, Tuple)) else None
        result = Sequence(element_of(source), list(layers) if layers is not None else None, name)
        if name == "torch.nn.ParameterList":
            return Sequence(Tensor("float", role="parameter"), kind=name)
        return result
    return Sequence(join_all(items), None if arguments.starred else items, name)


def _module_dict(arguments: Arguments, element: Value | None) -> Value:
    source = arguments.get(0)
    if element is not None:
        return Dict(rest=element)
    if isinstance(source, Dict):
        return Dict(dict(source.items), source.rest)
    return Dict() if source is None else Dict(rest=UNKNOWN)


def call_module(frame: Frame, cls: str, arguments: Arguments) -> Value:
    """The result of a call of an instance of a torch.nn class."""
    first = arguments.get(0) or UNKNOWN
    if cls == "torch.nn.Identity":
        return first
    result = frame.interp.facts.module(cls)
    if result is not None:
        may_reduce = result.shape == "scalar"  # a loss, whose reduction is unknown
        settings: dict[str, Value] = {"reduction": NONE} if may_reduce else {}
        value = of_result(result, first, cls.rpartition(".")[2].lower(), Arguments([first], settings))
        return _attention(value, arguments) if cls == "torch.nn.MultiheadAttention" else value
    if cls.startswith("torchvision.transforms.") and isinstance(first, Tensor):
        return Tensor(first.dtype)
    return TENSOR if cls.startswith("torch.nn.") and cls != "torch.nn.Module" else UNKNOWN


def _attention(value: Value, arguments: Arguments) -> Value:
    """The result and the weights of attention; the weights are None if they are not requested."""
    needs_weights = arguments.kwargs.get("need_weights", Const(True)) == Const(True)
    if not isinstance(value, Tuple) or (needs_weights and len(arguments.args) < 5 and not arguments.starred):
        return value
    return Tuple((*value.items[:1], *(join(weights, NONE) for weights in value.items[1:])))


WORK: Final = "torch.distributed.Work"  # the result of an asynchronous collective
# Distributions are Python classes: no schema.
DENSITIES: Final = ("sample", "rsample", "log_prob", "entropy", "mean", "cdf", "icdf")


def object_method(cls: str, name: str, arguments: Arguments) -> Value:
    """The result of a method of an object of a torch class that is not a module: distributions, generators."""
    if cls.startswith("torch.distributions."):
        return Tensor("float") if name in DENSITIES else UNKNOWN
    if cls.endswith(".GradScaler") and name == "scale":
        return arguments.get(0) or UNKNOWN
    return ExternalInstance(cls) if cls == "torch.Generator" and name == "manual_seed" else UNKNOWN
