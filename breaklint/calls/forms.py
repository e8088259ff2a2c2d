"""The input signature of a call: everything that selects the code of a module, without values. Runs in the user's
process."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import dataclasses
import enum
import inspect
import types
from collections.abc import Iterator, Mapping
from types import CodeType
from typing import Any

import torch
from torch.overrides import _get_current_function_mode_stack
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack
from torch.utils._pytree import tree_flatten, tree_leaves

_TEXT = 24
_DTYPE: Any = vars(torch._C.TensorBase)["dtype"]  # a subclass may have its own


def call_form(module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The containers of the inputs of a call, the forms of the values in them, and the modes of torch."""
    with torch._C.DisableTorchFunction():  # a subclass of tensors, or a mode, may count its calls
        leaves, containers = tree_flatten((args, kwargs))
        inputs = [str(containers), *map(_form, leaves)]
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


def _form(leaf: Any) -> str:
    """A tensor's class, dtype and rank; `None`, a flag or a short text; the forms of the fields of a dataclass; or the
    name of a function, class or type.

    Only stored values are read: no method of a user's class is called, because it may have side effects.
    """
    if isinstance(leaf, torch.Tensor):
        return f"{type(leaf).__name__} {_DTYPE.__get__(leaf)} {torch.Tensor.dim(leaf)}"
    if isinstance(leaf, enum.Enum):
        return f"{type(leaf).__name__}.{leaf.name}"
    if _is_flag(leaf):
        return repr(leaf)
    if dataclasses.is_dataclass(leaf) and not isinstance(leaf, type):
        fields = ((field.name, inspect.getattr_static(leaf, field.name, None)) for field in dataclasses.fields(leaf))
        return f"{type(leaf).__name__}({', '.join(f'{name}={_form(value)}' for name, value in fields)})"
    return leaf.__qualname__ if isinstance(leaf, types.FunctionType | type) else type(leaf).__name__


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
