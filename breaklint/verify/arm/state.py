"""What code keeps from one call to the next: in the model, in the modules around it, in the cells of functions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

import torch

from breaklint.verify.arm.parts import PLAIN, attributes, parts
from breaklint.verify.arm.snapshot import is_unread

_MODULES_OWN = {name for name in vars(torch.nn.Module()) if name.startswith("_")}
_HOOKS = [name for name in sorted(_MODULES_OWN) if name.endswith("hooks")]
MOST_PARTS = 10_000
"""An attribute of more parts than these is no state of a model."""
SMALL = 65536
"""Elements up to which a tensor that lies at the top level of a module is recorded."""


def kept(model: Any) -> dict[str, Any]:
    """What a module remembers from one call to the next: buffers, attributes of data, and what its functions hold.

    An object that many modules have, such as a configuration, is there once. Parameters are told by two sums each.
    """
    if not isinstance(model, torch.nn.Module):
        return dict(_of_function("", model, set())) if isinstance(model, FunctionType) else {}
    held: dict[str, Any] = dict(model.named_buffers())
    for name, parameter in model.named_parameters():
        held[f"{name} (sums)"] = _sums(parameter)
        held |= {f"{name}.{key}": value for key, value in attributes(parameter).items() if _is_data(value, SMALL)}
    seen, functions = set[int](), set[int]()
    for prefix, module in model.named_modules():
        for key, value in _attributes(module):
            place = f"{prefix}.{key}".lstrip(".")
            if isinstance(value, FunctionType):
                held |= dict(_of_function(place, value, functions))
            elif id(value) not in seen and _is_data(value):
                held[place] = value
                seen |= set() if isinstance(value, (*PLAIN, torch.Tensor, tuple, list, dict)) else {id(value)}
    return held


def shared_data(modules: Iterable[ModuleType], main: str) -> dict[str, Any]:
    """Data at the top level of these modules, in the classes that they define, and in the cells, defaults and
    attributes of their functions: what calls leave there stays. Names of the module `main` stand by themselves."""
    shared: dict[str, Any] = {}
    seen = set[int]()
    for module in modules:
        prefix = "" if module.__name__ == main else f"{module.__name__}."
        shared |= {prefix + place: value for place, value in _of_namespace(vars(module), module.__name__, seen)}
    return shared


def _of_namespace(names: Mapping[str, Any], module: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    for name, value in list(names.items()):
        plain = value.__func__ if isinstance(value, staticmethod | classmethod) else value
        if name.startswith("__"):
            continue
        if isinstance(plain, FunctionType):
            yield from _of_function(name, plain, seen)
        elif isinstance(value, type):
            if getattr(value, "__module__", "") == module and id(value) not in seen:
                seen.add(id(value))
                yield from ((f"{name}.{inner}", held) for inner, held in _of_namespace(vars(value), module, seen))
        elif isinstance(value, torch.Tensor) and value.numel() > SMALL:
            yield f"{name} (sums)", _sums(value)
        elif _is_data(value, SMALL):
            yield name, value


def _of_function(name: str, function: FunctionType, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """The data in a function's cells, defaults and attributes, and in those of the functions in its cells."""
    if id(function) in seen or function.__module__.startswith("torch."):
        return
    seen.add(id(function))
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=False)
    held = [(cell, content) for cell, each in cells if (content := _content(each)) is not each]
    held += [*vars(function).items(), *(function.__kwdefaults__ or {}).items()]
    taken = function.__code__.co_varnames[: function.__code__.co_argcount]
    defaults = function.__defaults__ or ()
    held += zip(taken[len(taken) - len(defaults) :], defaults, strict=False)
    for inner, value in held:
        place = f"{name}.{inner}".lstrip(".")
        if isinstance(value, FunctionType):
            yield from _of_function(place, value, seen)
        elif not inner.startswith(("__", "_torchdynamo")) and not isinstance(value, type) and _is_data(value, SMALL):
            yield place, value


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # it is empty still
        return cell


def _attributes(module: torch.nn.Module) -> Iterator[tuple[str, Any]]:
    """What code has set on a module, and the functions that are its hooks."""
    yield from ((key, value) for key, value in vars(module).items() if key not in _MODULES_OWN)
    for kind in _HOOKS:
        hooks = getattr(module, kind)
        yield from ((f"{kind}[{n}]", hook) for n, hook in enumerate(hooks.values() if hooks else ()) if callable(hook))


def _sums(parameter: torch.Tensor) -> list[float]:
    """The norm of a parameter, and a sum over some elements that depends on their order."""
    if not parameter.numel() or parameter.layout != torch.strided or parameter.is_complex():
        return []
    flat = parameter.detach().flatten()
    flat = flat if flat.is_floating_point() else flat.double()
    some = flat[:: max(1, len(flat) // 4096)].double()
    weighted = (some * torch.arange(len(some), device=some.device).cos()).sum()
    return [float(torch.linalg.vector_norm(flat, dtype=torch.float64)), float(weighted)]


def _is_data(value: Any, largest: float = math.inf) -> bool:
    """Is all of it plain values, tensors of at most so many elements, and containers and objects of these?"""
    try:
        for number, (_, part) in enumerate(parts(value, "")):  # looked at before what it holds
            if number >= MOST_PARTS or not _is_recorded(part, largest):
                return False
    except Exception:  # noqa: BLE001 - a class of the target may raise anything when it is looked at
        return False
    return True


def _is_recorded(part: Any, largest: float) -> bool:
    if isinstance(part, torch.Tensor):
        return part.numel() <= largest
    if isinstance(part, Mapping):  # objects as keys would be told apart by where they lie
        return all(isinstance(key, (*PLAIN, tuple)) for key in part)
    return isinstance(part, type | Iterator) or not is_unread(part)
