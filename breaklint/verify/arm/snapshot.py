"""Copies of values in which every part is of a plain type, and what objects keep where no attribute shows it.

One process can save such a copy, and another compare it.
"""

from __future__ import annotations

import hashlib
import itertools
import operator
import random
from collections.abc import Callable, Iterator, Mapping, Set
from contextvars import ContextVar
from types import GeneratorType, ModuleType, WrapperDescriptorType
from typing import Any

import torch
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from breaklint.verify.arm.parts import OPAQUE, PLAIN, attributes, fields, items

_PLAIN_OF: Mapping[type, Callable[[Any], Any]] = {
    int: int.__pos__,
    float: float.__pos__,
    complex: complex.__pos__,
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
}
"""What makes a plain value of an object whose class derives from that of one; methods of that class have no say."""
UNREAD = "not compared"
"""Marks what a record cannot hold: functions, iterators and modules."""


def snapshot(value: Any, around: frozenset[int] = frozenset()) -> Any:
    """A copy of which every part is of a plain type, so that no class of the target is needed to read it.

    Tensors are on the CPU, containers by kind, objects by their fields. `around` has the ids of what the value lies in,
    which is named where it holds itself.
    """
    if isinstance(value, torch.Tensor):
        own = {name: snapshot(held, around | {id(value)}) for name, held in attributes(value).items()}
        whole = {"class": f"{type(value).__qualname__} with {', '.join(own)}", "tensor": _plain_tensor(value), **own}
        return whole if own else _plain_tensor(value)
    if isinstance(value, PLAIN):
        return _plain(value)
    if isinstance(value, OPAQUE):
        return _described(value)
    if id(value) in around:
        return f"the {type(value).__qualname__} around it"
    if (inner := hidden(value)) is not None:
        return {"class": type(value).__qualname__, "state": snapshot(inner, around | {id(value)})}
    around = around | {id(value)}
    if isinstance(value, Mapping):
        return {str.__str__(str(k)): snapshot(v, around) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [snapshot(v, around) for v in value]
    if isinstance(value, Set):
        return sorted((snapshot(v, around) for v in value), key=repr)
    if hasattr(value, "__array__"):
        return snapshot(_of_array(value), around)
    held, listed = fields(value), items(value)
    if held or listed is not None:
        told = {"class": type(value).__qualname__, **{k: snapshot(v, around) for k, v in held.items()}}
        return told if listed is None else told | {"items": [snapshot(v, around) for v in listed]}
    return _described(value)


def _described(value: Any) -> Any:
    """A value without parts: what C code says of it, unless that is where it lies; else its class.

    What computes something only later is marked, for no record of the call shows it.
    """
    if isinstance(value, type):
        return value.__qualname__
    if isinstance(value, Iterator):
        return {UNREAD: type(value).__qualname__, "at": progress(value)}
    if is_unread(value):
        return {UNREAD: type(value).__qualname__}
    told = type(value).__repr__
    text = repr(value) if isinstance(told, WrapperDescriptorType) and told is not object.__repr__ else " at 0x"
    return type(value).__qualname__ if " at 0x" in text else text


def is_unread(value: Any) -> bool:
    """Is it code, or something that computes its values later, of which a record would say nothing?"""
    return isinstance(value, Iterator | ModuleType | torch.nn.Module) or callable(value)


def _of_array(value: Any) -> Any:
    try:
        return torch.as_tensor(value)
    except Exception:  # noqa: BLE001 - texts, objects, times; and a class of the target may raise anything
        return value.tolist() if hasattr(value, "tolist") else _described(value)


def _plain_tensor(tensor: Any) -> Any:
    if is_traceable_wrapper_subclass(tensor):
        inner, _ = tensor.__tensor_flatten__()
        return {"class": type(tensor).__qualname__, **{name: snapshot(getattr(tensor, name)) for name in inner}}
    strided = tensor.detach() if tensor.layout == torch.strided else tensor.detach().to_dense()
    return strided.as_subclass(torch.Tensor).cpu().clone()


def _plain(value: Any) -> Any:
    """The value itself, or what an object of a class that derives from a plain one adds to its class's name."""
    if type(value) in PLAIN:
        return value
    base = next(kind for kind in _PLAIN_OF if isinstance(value, kind))
    return {"class": type(value).__qualname__, "value": _PLAIN_OF[base](value)}


def hidden(value: Any) -> Any:
    """The state of a random generator, as a digest, or the value of a context variable; None for anything else."""
    if isinstance(value, ContextVar):
        return [value.get(None)]
    if isinstance(value, random.Random):
        return _digest(value.getstate())
    if isinstance(value, torch.Generator):
        return _digest(value.get_state().tolist())
    if not str(type(value).__module__).startswith("numpy.random"):
        return None
    bits = getattr(value, "bit_generator", value)
    return _digest(bits.state if hasattr(bits, "state") else value.get_state())


def progress(iterator: Iterator[Any]) -> str:
    """How far an iterator has come, where that can be told without moving it."""
    if isinstance(iterator, GeneratorType):
        frame = iterator.gi_frame
        return "its end" if frame is None else f"instruction {frame.f_lasti} with {_locals(frame.f_locals)}"
    if isinstance(iterator, itertools.count):
        return repr(iterator)
    try:
        return f"{operator.length_hint(iterator)} left"
    except Exception:  # noqa: BLE001 - a class of the target may raise anything
        return ""


def _locals(names: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value!r}" for name, value in names.items() if isinstance(value, int | float | str))


def _digest(state: Any) -> str:
    return hashlib.sha256(repr(state).encode()).hexdigest()[:12]
