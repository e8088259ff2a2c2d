"""The effects of a call of a model, as plain data by place: one process saves it, another compares."""

from __future__ import annotations

import hashlib
import random
import sys
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from itertools import chain, islice
from types import MemberDescriptorType, ModuleType
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

Values = dict[str, Any]
"""Tensors, plain values and the classes of containers, by their places."""
Record = dict[str, Any]
"""The parts of a call by name: `output`, `inputs`, `state` and so on (`Values`), or `raised`."""
PLAIN = (int, float, complex, str, bytes, bool, type(None))
UNREAD = "not compared: "
"""The start of the text in place of a value that a record cannot hold: a function, an iterator or a module."""
MOST_PARTS = 1000
"""An attribute with more parts is not compared."""
_DATA = (*PLAIN, torch.Tensor, torch.dtype, torch.device, list, tuple, set, deque, Mapping)
_MODULES_OWN = {name for name in vars(torch.nn.Module()) if name.startswith("_")}


def snapshot(value: Any, place: str) -> Values:
    """A copy of a value that needs no class of the target; tensors are on the CPU."""
    values: Values = {}
    for at, part in parts(value, place):
        if isinstance(part, torch.Tensor):
            is_dense = part.layout == torch.strided
            layout = "" if is_dense else f" {part.layout}"
            values[f"class of {at}"] = f"{type(part).__qualname__} on {part.device.type}{layout}"
            dense = part.detach() if is_dense else part.detach().to_dense()
            values[at] = dense.as_subclass(torch.Tensor).cpu().clone()
        elif isinstance(part, PLAIN):
            values[at] = _plain(part)
        elif isinstance(part, type | torch.dtype | torch.device):
            values[at] = str(part)
        elif isinstance(part, Iterator | ModuleType | torch.nn.Module) or callable(part):
            values[at] = f"{UNREAD}a {type(part).__qualname__}"
        else:
            keys = ", ".join(map(str, part if isinstance(part, Mapping) else getattr(part, "_fields", ())))
            size = keys or (len(part) if isinstance(part, Collection) else "")
            values[f"class of {at}"] = f"{type(part).__qualname__} of {size}".removesuffix(" of ")
    return values


def parts(value: Any, place: str, around: frozenset[int] = frozenset()) -> Iterator[tuple[str, Any]]:
    """The value and all values in its containers and objects, by place. `around` has the ids of the enclosing ones."""
    if hasattr(value, "__array__") and not isinstance(value, torch.Tensor | type):
        value = _of_array(value)
    yield place, value
    if isinstance(value, (torch.Tensor, *PLAIN, torch.nn.Module, type, ModuleType, Iterator)) or id(value) in around:
        return
    inner: Iterable[tuple[str, Any]]
    if isinstance(value, Mapping):
        inner = ((f"{place}[{key!r}]", item) for key, item in value.items())
    elif isinstance(value, Set):
        inner = ((f"{place}[{index}]", item) for index, item in enumerate(sorted(value, key=repr)))
    else:
        items = value if isinstance(value, Collection) and not isinstance(value, range) else ()
        attributes = () if isinstance(value, list | tuple) or callable(value) else _fields(value).items()
        indexed = ((f"{place}[{index}]", item) for index, item in enumerate(items))
        inner = chain(((f"{place}.{name}", item) for name, item in attributes), indexed)
    for at, item in inner:
        yield from parts(item, at, around | {id(value)})


def tensors_of(value: Any) -> list[torch.Tensor]:
    """Every tensor in a result, in order."""
    return [part for _, part in parts(value, "") if isinstance(part, torch.Tensor)]


def state(model: Any) -> Values:
    """The buffers of a module, the norms of its parameters, and the attributes that contain data."""
    if not isinstance(model, torch.nn.Module):
        return {}
    values: Values = {}
    for name, buffer in model.named_buffers():
        values |= snapshot(buffer, f"state.{name}")
    values |= _norms({name: parameter.detach() for name, parameter in model.named_parameters()})
    for prefix, module in model.named_modules():
        for name, value in vars(module).items():
            if name not in _MODULES_OWN and _is_data(value):
                values |= snapshot(value, ".".join(filter(None, ("state", prefix, name))))
    return values


def attribute_of(place: str) -> str:
    """The attribute of a module in which a part of the state lies."""
    return place.removeprefix("class of ").partition("[")[0]


def aliases(output: Any, inputs: Any, tensors: Mapping[str, torch.Tensor]) -> Values:
    """The input, module tensor or earlier output with which each output tensor shares memory."""
    owners: dict[int, str] = {}
    inputs = ((f"input {index}", leaf) for index, leaf in enumerate(tree_leaves(inputs)))
    for name, tensor in (*inputs, *tensors.items()):
        owners.setdefault(_address(tensor), name)
    shared: Values = {}
    for index, tensor in enumerate(tensors_of(output)):
        address, name = _address(tensor), f"output {index}"
        if address and owners.setdefault(address, name) != name:
            shared[f"memory of {name}"] = owners[address]
    return shared


def random_state() -> str:
    """A digest of the states of the random generators of torch, Python and NumPy."""
    digest = hashlib.sha256(bytes(torch.get_rng_state().tolist()))
    digest.update(repr(random.getstate()).encode())
    if "numpy" in sys.modules:
        digest.update(repr(sys.modules["numpy"].random.get_state(legacy=False)).encode())
    for generator in torch.cuda.default_generators:  # none before CUDA starts
        digest.update(repr((generator.get_offset(), generator.initial_seed())).encode())
    return digest.hexdigest()[:12]


def named_tensors(model: Any) -> dict[str, torch.Tensor]:
    """A module's own parameters and buffers."""
    if not isinstance(model, torch.nn.Module):
        return {}
    return dict(model.named_parameters()) | dict(model.named_buffers())


def _plain(value: Any) -> Any:
    """The value itself; of an object whose class derives from a plain one, that."""
    kind: Any = next((kind for kind in (int, float, complex, str, bytes) if isinstance(value, kind)), None)
    return value if type(value) in PLAIN else kind(value)


def _of_array(value: Any) -> Any:
    try:
        return torch.as_tensor(value)
    except (TypeError, ValueError, RuntimeError):  # texts, objects, times
        return value.tolist() if hasattr(value, "tolist") else str(value)


def _fields(value: Any) -> dict[str, Any]:
    """The contents of an object, by the names of its attributes and slots."""
    names = (name for kind in type(value).__mro__ for name, member in vars(kind).items() if _is_slot(kind, member))
    attributes = {name: getattr(value, name) for name in names if hasattr(value, name)}
    return dict(sorted({**attributes, **getattr(value, "__dict__", {})}.items()))


def _is_slot(kind: type, value: Any) -> bool:
    return "__slots__" in vars(kind) and isinstance(value, MemberDescriptorType)


def _is_data(value: Any) -> bool:
    """Whether a value is plain, a tensor, or a container of these."""
    if hasattr(value, "__array__"):
        return True
    inside = islice(parts(value, ""), MOST_PARTS + 1)  # which yields an object before its contents
    return all(isinstance(part, _DATA) and number < MOST_PARTS for number, (_, part) in enumerate(inside))


def _norms(parameters: dict[str, torch.Tensor]) -> Values:
    """The norm of each parameter that has floats."""
    floats = {name: p for name, p in parameters.items() if p.layout == torch.strided and p.is_floating_point()}
    if not floats:
        return {}
    norms = torch._foreach_norm([p if p.dtype is torch.float64 else p.float() for p in floats.values()])
    return {f"state.{name} (norm)": norm.double().cpu() for name, norm in zip(floats, norms, strict=True)}


def _address(value: Any) -> int:
    """The address of a tensor's memory; 0 for anything else."""
    is_dense = isinstance(value, torch.Tensor) and value.layout == torch.strided
    return value.untyped_storage().data_ptr() if is_dense else 0
