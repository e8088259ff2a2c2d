"""What a result consists of, by place: containers, fields of objects, tensors, plain values; and in what form.

Forms are texts, so that a difference reads as one line.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from itertools import chain
from types import MemberDescriptorType, ModuleType
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

PLAIN = (int, float, complex, str, bytes, bool, type(None))
_LOCKS = (type(threading.Lock()), type(threading.RLock()), threading.Condition)
OPAQUE = (*PLAIN, *_LOCKS, torch.nn.Module, type, ModuleType)
"""What has parts that are none of the result's."""


def parts(value: Any, place: str, around: frozenset[int] = frozenset()) -> Iterator[tuple[str, Any]]:
    """The value at `place` and all that it holds, in order. `around` has the ids of what it lies in."""
    yield place, value
    if isinstance(value, (torch.Tensor, *OPAQUE)) or id(value) in around:
        return
    around = around | {id(value)}
    if isinstance(value, Mapping):
        held: Iterable[tuple[str, Any]] = ((f"{place}[{key!r}]", item) for key, item in value.items())
    elif isinstance(value, list | tuple):
        held = ((f"{place}[{index}]", item) for index, item in enumerate(value))
    else:
        named = ((f"{place}.{name}", item) for name, item in fields(value).items())
        held = chain(named, ((f"{place}[{index}]", item) for index, item in enumerate(items(value) or ())))
    for inner, item in held:
        yield from parts(item, inner, around)


def tensors_of(output: Any) -> Iterator[torch.Tensor]:
    """Every tensor in a model's output, in order."""
    return (part for _, part in parts(output, "") if isinstance(part, torch.Tensor))


def items(value: Any) -> Iterable[Any] | None:
    """What a collection other than a list, tuple, dict or set has, in order: a deque, the values of a dict."""
    is_other = isinstance(value, Mapping | Set | range) or hasattr(value, "__array__")
    return value if isinstance(value, Collection) and not is_other else None


def fields(value: Any) -> dict[str, Any]:
    """What an object holds, by the names of its attributes and slots, in their order; nothing for what hides it."""
    slots = chain.from_iterable(_slots(kind) for kind in type(value).__mro__)
    held = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return dict(sorted({**held, **getattr(value, "__dict__", {})}.items()))


def attributes(tensor: torch.Tensor) -> dict[str, Any]:
    """What code has set on a tensor; names that begin with an underscore are for torch and the tensor's class."""
    held = getattr(tensor, "__dict__", {})
    return {name: held[name] for name in sorted(held) if not name.startswith("_")}


def _slots(kind: type) -> Iterable[str]:
    """The attributes for which a class written in Python has slots."""
    named = vars(kind).get("__slots__", ())
    names = (named,) if isinstance(named, str) else named
    return (name for name in names if isinstance(vars(kind).get(name), MemberDescriptorType))


def classes(value: Any) -> dict[str, str]:
    """The class of every container and tensor in a result, a tensor's with its device, a dict's with its order."""
    return {
        place: f"{type(part).__qualname__} on {part.device.type}" if isinstance(part, torch.Tensor) else _class(part)
        for place, part in parts(value, "output")
    }


def strides(value: Any) -> dict[str, str]:
    """The strides of every tensor in a result, those of dimensions of one element left out."""
    tensors = ((place, part) for place, part in parts(value, "output") if isinstance(part, torch.Tensor))
    strided = {place: t for place, t in tensors if t.layout == torch.strided and t.numel()}
    return {
        place: _strides(t) + (" made for inference only" if t.is_inference() else "") for place, t in strided.items()
    }


def _class(value: Any) -> str:
    order = f" of {', '.join(map(str, value))}" if isinstance(value, Mapping) else ""
    return f"{type(value).__qualname__}{order}"


def _strides(tensor: torch.Tensor) -> str:
    return str(tuple(step for step, size in zip(tensor.stride(), tensor.shape, strict=True) if size > 1))


def shared_memory(outputs: Iterable[torch.Tensor], inputs: Any, state: Mapping[str, torch.Tensor]) -> dict[str, str]:
    """With what the outputs share their storage: an input, a tensor of the module, or an earlier output."""
    given = [(f"input {index}", leaf) for index, leaf in enumerate(tree_leaves(inputs))]
    owners: dict[int, str] = {}
    for name, tensor in [*given, *state.items()]:
        owners.setdefault(_address(tensor), name)
    shared = {}
    for index, tensor in enumerate(outputs):
        address, name = _address(tensor), f"output {index}"
        if address and owners.setdefault(address, name) != name:
            shared[name] = owners[address]
    return shared


def _address(value: Any) -> int:
    """Where a tensor's memory begins; 0 for what has none of its own."""
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return 0
    try:
        return value.untyped_storage().data_ptr()
    except RuntimeError:  # subclasses that wrap other tensors
        return 0
