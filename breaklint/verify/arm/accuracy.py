"""Record all that a call of a model can be seen to do, and compare two such records.

A record holds outputs, the inputs and the module state after the call, gradients, or the exception raised. It is made
of plain containers and CPU tensors, so that one process can save it and another compare with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Set
from itertools import islice
from types import ModuleType, WrapperDescriptorType
from typing import Any

import torch
from torch.utils._python_dispatch import is_traceable_wrapper_subclass
from torch.utils._pytree import tree_map

from breaklint.verify.arm.float64 import no_worse
from breaklint.verify.arm.hidden_state import hidden, progress
from breaklint.verify.arm.parts import OPAQUE, PLAIN, attributes, fields, items, tensors_of

Record = dict[str, Any]

# Relative tolerance and absolute floor by dtype: compiled kernels sum in another order and fuse roundings. The
# tolerance also scales with the root mean square of the expected tensor, since elements near zero are differences of
# large ones.
_TOLERANCES = {
    torch.float64: (1e-7, 1e-12),
    torch.complex128: (1e-7, 1e-12),
    torch.float32: (1e-4, 1e-6),
    torch.complex64: (1e-4, 1e-6),
    torch.float16: (4e-3, 1e-5),
    torch.bfloat16: (3e-2, 1e-5),
}
# TF32 keeps 10 bits of the mantissa, as float16 does: https://docs.pytorch.org/docs/stable/notes/cuda.html
_TF32 = {**_TOLERANCES, torch.float32: (1e-3, 1e-6), torch.complex64: (1e-3, 1e-6)}
Tolerances = Mapping[torch.dtype, tuple[float, float]]
_PLAIN_OF: Mapping[type, Callable[[Any], Any]] = {
    int: int.__pos__,
    float: float.__pos__,
    complex: complex.__pos__,
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
}
"""What makes a plain value of an object whose class derives from that of one; methods of that class have no say."""
MAX_DIFFERENCES = 5
UNREAD = "not compared"
"""Marks what a record cannot hold: functions, iterators and modules."""


class Varies:
    """Stands in a record for what differs by itself from run to run; anything is equal to it."""

    def __repr__(self) -> str:
        """As differences show it."""
        return "what varies"


VARIES = Varies()


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


def clone(tree: Any) -> Any:
    """A copy of a call's arguments that the call may change; leaf tensors keep `requires_grad`."""
    return tree_map(_clone_leaf, tree)


def _clone_leaf(leaf: Any) -> Any:
    return leaf.detach().clone().requires_grad_(leaf.requires_grad) if isinstance(leaf, torch.Tensor) else leaf


def with_gradients(tree: Any) -> tuple[Any, list[torch.Tensor]]:
    """The arguments with every float tensor differentiable, and the leaves that will hold the gradients."""
    leaves: list[torch.Tensor] = []

    def differentiable(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or not leaf.is_floating_point():
            return leaf
        leaves.append(leaf.detach().clone().requires_grad_())
        return leaves[-1].clone()  # not a leaf, so that forward may change it in place

    return tree_map(differentiable, tree), leaves


def loss_of(output: Any) -> torch.Tensor | None:
    """A scalar that depends on every differentiable output, each element with a weight of its own (None: none is)."""
    total: torch.Tensor | None = None
    for leaf in tensors_of(output):
        if leaf.requires_grad:
            weights = torch.arange(leaf.numel(), dtype=torch.float32, device=leaf.device).cos().view(leaf.shape)
            part = (
                (torch.view_as_real(leaf.resolve_conj()).sum(-1) if leaf.is_complex() else leaf)
                .float()
                .mul(weights)
                .sum()
            )
            total = part if total is None else total + part
    return total


def compare(expected: Any, actual: Any, name: str, exact: Any = None, tf32: bool = False) -> list[str]:
    """Every way in which `actual` differs, one line each, at most `MAX_DIFFERENCES`; NaN equals NaN.

    With `exact`, the same in float64, rounding that is no worse than that of `expected` is no difference; with `tf32`,
    neither is rounding to TF32, which eager and compiled kernels choose each for themselves where it is allowed.
    """
    return list(islice(_differences(expected, actual, name, exact, _TF32 if tf32 else _TOLERANCES), MAX_DIFFERENCES))


def _differences(expected: Any, actual: Any, name: str, exact: Any, tolerances: Tolerances) -> Iterator[str]:
    if expected is VARIES or actual is VARIES:
        return
    if isinstance(expected, torch.Tensor) and isinstance(actual, torch.Tensor):
        yield from _tensor_difference(expected, actual, name, exact, tolerances)
    elif isinstance(expected, dict) and isinstance(actual, dict):
        for key in dict.fromkeys([*actual, *expected]):
            if expected.get(key) is VARIES:
                continue
            if key not in expected or key not in actual:
                yield f"{name}.{key} is {'new' if key not in expected else 'gone'}"
            else:
                inner = exact.get(key) if isinstance(exact, dict) else None
                yield from _differences(expected[key], actual[key], f"{name}.{key}", inner, tolerances)
    elif isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            yield f"{name} has {len(actual)} items, not {len(expected)}"
        exacts = exact if isinstance(exact, list) and len(exact) == len(expected) else [None] * len(expected)
        for index, (left, right, inner) in enumerate(zip(expected, actual, exacts, strict=False)):
            yield from _differences(left, right, f"{name}[{index}]", inner, tolerances)
    elif type(expected) is not type(actual):
        yield f"{name} is {_kind(actual)}, not {_kind(expected)}"
    elif not _same_plain(expected, actual):
        yield f"{name} is {actual!r}, not {expected!r}"


def _kind(value: Any) -> str:
    name = value.get("class", "dict") if isinstance(value, dict) else type(value).__name__
    article = "an" if name[0].lower() in "aeiou" else "a"
    return "None" if value is None else f"{article} {name}"


def _same_plain(expected: Any, actual: Any) -> bool:
    if isinstance(expected, float):
        both_nan = expected != expected and actual != actual
        close = abs(expected - actual) <= 1e-4 * abs(expected) + 1e-6
        return bool(both_nan or close or expected == actual)
    return bool(expected == actual)


def _tensor_difference(
    expected: torch.Tensor, actual: torch.Tensor, name: str, exact: Any, tolerances: Tolerances
) -> Iterator[str]:
    if expected.dtype != actual.dtype:
        yield f"{name} has dtype {actual.dtype}, not {expected.dtype}"
    elif expected.shape != actual.shape:
        yield f"{name} has shape {tuple(actual.shape)}, not {tuple(expected.shape)}"
    elif expected.dtype not in tolerances:
        wrong = int((expected != actual).sum())
        if wrong:
            yield f"{name} differs in {wrong} of {expected.numel()} elements"
    elif not no_worse(expected, actual, exact):
        yield from _float_difference(expected, actual, name, *tolerances[expected.dtype])


def _float_difference(
    expected: torch.Tensor, actual: torch.Tensor, name: str, relative: float, floor: float
) -> Iterator[str]:
    wide = torch.complex128 if expected.is_complex() else torch.float64
    left, right = expected.to(wide), actual.to(wide)
    finite = left.isfinite()
    scale = left[finite].abs().square().mean().sqrt() if finite.any() else left.new_zeros(()).abs()
    close = (left - right).abs() <= relative * (left.abs() + scale) + floor
    good = (close & finite) | (left == right) | (left.isnan() & right.isnan())
    if bool(good.all()):
        return
    bad = ~good
    new_nan = int((right.isnan() & ~left.isnan()).sum())
    if new_nan:
        yield f"{name} has NaN in {new_nan} of {left.numel()} elements where the original has none"
    else:
        worst = (left - right).abs()[bad].nan_to_num(nan=math.inf, posinf=math.inf).max().item()
        yield f"{name} differs in {int(bad.sum())} of {left.numel()} elements, by up to {worst:.3g}"
