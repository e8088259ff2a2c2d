"""The form of a call: what decides which code a module runs, without the values. Runs in the user's process."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import types
from collections import UserDict
from collections.abc import Iterable
from typing import Any

import torch

_DEPTH, _ITEMS, _TEXT = 4, 12, 24
# As inputs of cards are written; other dtypes are named as torch names them.
_SHORT = {"float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "int64": "i64", "int32": "i32"}


def call_form(module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The inputs of a call in words: `f32[_, _], mask=None; eval; no grad`."""
    with torch._C.DisableTorchFunctionSubclass():  # a subclass of tensors may count its calls
        inputs = [form(each) for each in args] + [f"{name}={form(each)}" for name, each in kwargs.items()]
    modes = ["train" if module.training else "eval", "grad" if torch.is_grad_enabled() else "no grad"]
    modes += [f"autocast {kind}" for kind in ("cpu",) if torch.is_autocast_enabled(kind)]
    return "; ".join([", ".join(inputs), *modes])


def form(value: Any, depth: int = 0) -> str:
    """A tensor's dtype and rank, `None`, a flag, a short text, the forms of a container's items, or a type's name.

    What is read is what objects hold: no method of a class of the user's is called, which may do more than answer.
    """
    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        kind = "" if type(value) in (torch.Tensor, torch.nn.Parameter) else f"{type(value).__name__} "
        return f"{kind}{_SHORT.get(dtype, dtype)}[{', '.join('_' * value.dim())}]"
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
        return f"{{{_listed((f'{_key(key)}: {form(each, depth + 1)}' for key, each in dict.items(value)))}}}"
    if type(value) in (list, tuple, torch.Size):
        return f"[{_listed(form(each, depth + 1) for each in value)}]"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = ((each.name, inspect.getattr_static(value, each.name, None)) for each in dataclasses.fields(value))
        return f"{type(value).__name__}({_listed(f'{name}={form(each, depth + 1)}' for name, each in fields)})"
    if isinstance(value, types.FunctionType | type):
        return value.__qualname__
    return type(value).__name__


def _key(key: Any) -> str:
    return str(key) if type(key) in (str, int) else type(key).__name__


def _listed(forms: Iterable[str]) -> str:
    every = list(forms)
    kept = list(dict.fromkeys(every)) if len(every) > _ITEMS else every
    return ", ".join(kept[:_ITEMS]) + (", …" if len(kept) > _ITEMS or kept != every else "")


def structure(module: torch.nn.Module) -> str:
    """The classes of a module and of those in it, their flags and short texts, and what their code reads by name.

    Calls of equal structure in one form run the same code, except for values that they compute with.
    """
    return "\n".join(f"{name}:{_part(part)}" for name, part in module.named_modules())


def _part(part: torch.nn.Module) -> str:
    told = [
        f"{key}={value}"
        for key, value in vars(part).items()
        if key != "training" and (value is None or isinstance(value, bool) or _is_short(value))
    ]
    hooks = [key for key, value in vars(part).items() if key.endswith("_hooks") and value]
    return f"{type(part).__module__}.{type(part).__qualname__}({','.join([*told, *hooks])}) {_read(type(part).forward)}"


def _is_short(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _TEXT


def _read(forward: Any) -> str:
    """Where a function is written, and the functions and flags that it reads by name: tests may have replaced them."""
    code, names = getattr(forward, "__code__", None), getattr(forward, "__globals__", {})
    if code is None:
        return type(forward).__name__
    told = (_told(name, names[name]) for name in code.co_names if name in names)
    return " ".join([f"{code.co_filename}:{code.co_firstlineno}", *filter(None, told)])


def _told(name: str, value: object) -> str:
    """A function by its place, a flag by its value, a dict by the flags in it; "" for all else."""
    if (own := getattr(value, "__code__", None)) is not None:
        return f"{name}={own.co_filename}:{own.co_firstlineno}"
    if value is None or isinstance(value, bool) or _is_short(value):
        return f"{name}={value}"
    if type(value) is dict and len(value) <= _ITEMS:
        return ",".join(f"{name}[{key}]={item}" for key, item in value.items() if item is None or type(item) is bool)
    return ""
