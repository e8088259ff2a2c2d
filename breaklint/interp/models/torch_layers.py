"""Results of the constructors of torch.nn: parameters, buffers, containers of modules, other modules."""

from __future__ import annotations

from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Value, join_all
from breaklint.interp.models.torch_names import CONTAINERS, NN_BUFFER
from breaklint.interp.values import ExternalInstance, Tensor


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
