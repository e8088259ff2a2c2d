"""The input signature of a call: everything that selects the code of a module, without values. Runs in the user's
process."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import dataclasses
import enum
import inspect
import types
from collections import UserDict
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType
from typing import Any

import torch
from torch.overrides import _get_current_function_mode_stack
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack
from torch.utils._pytree import tree_leaves

_DEPTH, _ITEMS, _TEXT = 4, 12, 24
_DTYPE: Any = vars(torch._C.TensorBase)["dtype"]  # a subclass may have its own


def call_form(module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The inputs of a call in words: `float32[_, _], mask=None; eval; no grad`."""
    with torch._C.DisableTorchFunction():  # a subclass of tensors, or a mode, may count its calls
        inputs = [form(argument) for argument in args] + [f"{name}={form(item)}" for name, item in kwargs.items()]
    modes = ["eval" if attributes(module).get("training") is False else "train"]
    modes += ["grad" if torch.is_grad_enabled() else "no grad"]
    modes += ["inference"] if torch.is_inference_mode_enabled() else []
    modes += [f"autocast {kind}" for kind in ("cpu",) if torch.is_autocast_enabled(kind)]
    modes += map(_name, (*_get_current_function_mode_stack(), *_get_current_dispatch_mode_stack()))
    modes += ["functorch"] if torch._C._functorch.peek_interpreter_stack() is not None else []
    return "; ".join([", ".join(inputs), *modes])


def frame_facts(code: CodeType, arguments: Mapping[str, object]) -> Iterator[str]:
    """The facts that may select the lines of a function: flags and short texts, and whether others are of a builtin
    type. They are those of its arguments, and of the attributes of modules among them that the function names."""
    for name, value in arguments.items():
        yield f"{name}={_fact(value)}"
        for key, item in attributes(value).items() if isinstance(value, torch.nn.Module) else ():
            if key in code.co_names:
                yield f"{name}.{key}={_fact(item)}"


def _fact(value: object) -> str:
    if _is_flag(value):
        return repr(value)
    return type(value).__qualname__ if type(value).__module__ == "builtins" else ""


def _name(mode: object) -> str:
    return type(mode).__name__


def form(value: Any, depth: int = 0) -> str:
    """A tensor's dtype and rank, `None`, a flag, a short text, the forms of a container's items, or a type's name.

    Only stored values are read: no method of a user's class is called, because it may have side effects.
    """
    if isinstance(value, torch.Tensor):
        dtype = str(_DTYPE.__get__(value)).removeprefix("torch.")
        kind = "" if type(value) in (torch.Tensor, torch.nn.Parameter) else f"{type(value).__name__} "
        return f"{kind}{dtype}[{', '.join('_' * torch.Tensor.dim(value))}]"
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, str):
        return repr(value) if len(value) <= _TEXT and value.isidentifier() else "str"
    if depth >= _DEPTH:
        return type(value).__name__
    if isinstance(value, UserDict):
        return form(inspect.getattr_static(value, "data", None), depth)
    if isinstance(value, dict):
        return f"{{{_join((f'{_key(key)}: {form(item, depth + 1)}' for key, item in dict.items(value)))}}}"
    if type(value) in (list, tuple, torch.Size):
        return f"[{_join(form(item, depth + 1) for item in value)}]"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = ((field.name, inspect.getattr_static(value, field.name, None)) for field in dataclasses.fields(value))
        return f"{type(value).__name__}({_join(f'{name}={form(item, depth + 1)}' for name, item in fields)})"
    if isinstance(value, types.FunctionType | type):
        return value.__qualname__
    return type(value).__name__


def _key(key: Any) -> str:
    return str(key) if type(key) in (str, int) else type(key).__name__


def _join(forms: Iterable[str]) -> str:
    every = list(forms)
    remaining = list(dict.fromkeys(every)) if len(every) > _ITEMS else every
    return ", ".join(remaining[:_ITEMS]) + (", …" if len(remaining) > _ITEMS or remaining != every else "")


def structure(module: torch.nn.Module) -> str:
    """The classes of a module and of those in it, with their flags and short texts.

    Calls of equal structure in one form run the same code, except for values that they compute with.
    """
    return "\n".join(f"{name}:{_part(part)}" for name, part in parts(module))


def parts(module: torch.nn.Module) -> Iterator[tuple[str, torch.nn.Module]]:
    """A module and those in it, each once, with their names: as `named_modules`, which a class may replace."""
    seen, pending = {id(module)}, [("", module)]
    while pending:
        name, part = pending.pop()
        yield name, part
        for key, child in attributes(part).get("_modules", {}).items():
            if child is not None and id(child) not in seen:
                seen.add(id(child))
                pending.append((f"{name}.{key}", child))


def attributes(part: torch.nn.Module) -> dict[str, Any]:
    """The stored values of a module, regardless of its class."""
    values: dict[str, Any] = object.__getattribute__(part, "__dict__")
    return values


def _part(part: torch.nn.Module) -> str:
    values = attributes(part).items()
    flags = [f"{key}={value}" for key, value in values if key != "training" and _is_flag(value)]
    hooks = [key for key, value in values if key.endswith("_hooks") and value]
    return f"{type(part).__module__}.{type(part).__qualname__}({','.join([*flags, *hooks])})"


def _is_flag(value: object) -> bool:
    return value is None or value is True or value is False or (type(value) is str and len(value) <= _TEXT)


def exact(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[object, ...]:
    """The sizes of a call's tensors, its numbers and texts: equal calls of a module have no reason to recompile."""
    with torch._C.DisableTorchFunction():
        return tuple(_exact(leaf) for leaf in tree_leaves((args, kwargs)))


def _exact(leaf: object) -> object:
    if isinstance(leaf, torch.Tensor):
        return torch.Tensor.size(leaf), torch.Tensor.stride(leaf), leaf.requires_grad
    return leaf if type(leaf) in (int, float, str, bool) else type(leaf)
