"""Turn modules and arguments into plain data (`portable`). Runs in the process of the user's script."""

from __future__ import annotations

import enum
import functools
import logging
import sys
import types
from typing import Any

import torch

from breaklint.calls.portable import PLAIN, NotPortable, Own, check_name, check_value, is_plain_object

HOOKS = "_hooks"


class TooLarge(NotPortable):
    """The tensors take more bytes than the budget allows."""


class Freezer:
    """Converts values to plain data; `missing` lists skipped values with their places, `size` is the bytes of
    tensors."""

    def __init__(self, budget: int, own: Own = Own()) -> None:  # noqa: B008 - it is frozen
        self._own = own
        self.missing: list[str] = []
        self.size = 0
        self._budget = budget
        self._numbers: dict[int, tuple[int, Any]] = {}  # by id, with the value, so that no other gets its id
        self._tensors: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def freeze(self, value: Any, where: str) -> Any:
        """The value as data.

        Raises:
            NotPortable: it, or an item of a container that it is, cannot be stored. Fields of objects are left out
                instead, and noted.
            TooLarge: the budget is used up.
        """
        if isinstance(value, torch.Tensor):
            return self._tensor(value)
        if type(value) in PLAIN:
            return value
        if isinstance(value, torch.device):
            return {"$": "device", "type": value.type}
        if id(value) in self._numbers:
            return {"$": "same", "number": self._numbers[id(value)][0]}
        if type(value) in (list, tuple, set, frozenset):
            items = [self.freeze(item, f"{where}[{n}]") for n, item in enumerate(value)]
            return {"$": type(value).__name__, "items": items}
        if type(value) is dict:
            return {"$": "dict", "items": self._items(value, where)}
        return self._special(value, where)

    def call(self, args: Any, kwargs: Any) -> dict[str, Any]:
        """The arguments of a call as data; raises as `freeze` does."""
        return {"args": self.freeze(args, "args"), "kwargs": self.freeze(kwargs, "kwargs")}

    def _special(self, value: Any, where: str) -> Any:
        if isinstance(value, enum.Enum):
            return {"$": "enum", "class": self._name(type(value), where), "name": value.name}
        if isinstance(value, functools.partial):
            parts = {part: self.freeze(getattr(value, part), where) for part in ("func", "args", "keywords")}
            return {"$": "partial", **parts}
        if isinstance(value, logging.Logger):
            return {"$": "logger", "name": value.name}
        if isinstance(value, slice):
            return {"$": "slice", "items": [value.start, value.stop, value.step]}
        if isinstance(value, range):
            return {"$": "range", "items": [value.start, value.stop, value.step]}
        if hasattr(value, "__array__") and type(value).__module__ == "numpy":
            return {"$": "numpy", "tensor": self._tensor(torch.as_tensor(value))}
        if isinstance(value, type | types.FunctionType | types.BuiltinFunctionType | types.ModuleType):
            name = self._name(value, where)
            try:
                check_value(value, name, self._own)
            except NotPortable as error:
                raise NotPortable(f"{where}: {error}") from None
            return {"$": "name", "name": name}
        return self._object(value, where)

    def _name(self, value: Any, where: str) -> str:
        try:
            return name_of(value)
        except NotPortable as error:
            raise NotPortable(f"{where}: {error}") from None

    def _object(self, value: Any, where: str) -> Any:
        kind = type(value)
        data: dict[str, Any] = {"$": "object", "class": self._name(kind, where), "number": len(self._numbers)}
        if not is_plain_object(kind):
            raise NotPortable(f"{where}: a {kind.__module__}.{kind.__qualname__} cannot be stored")
        self._numbers[id(value)] = data["number"], value
        if isinstance(value, dict):
            data["items"] = self._items(value, where)
        elif isinstance(value, list | tuple):
            data["items"] = [self.freeze(item, f"{where}[{n}]") for n, item in enumerate(value)]
        data["fields"] = self._fields(value, where)
        return data

    def _fields(self, value: Any, where: str) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for name, field in getattr(value, "__dict__", {}).items():
            if isinstance(value, torch.nn.Module) and name.endswith(HOOKS):
                if field:
                    self.missing.append(f"{where}: its {name.strip('_').replace('_', ' ')}")
                field = type(field)()
            count = len(self._numbers)
            try:
                fields[name] = self.freeze(field, f"{where}.{name}")
            except TooLarge:
                raise
            except NotPortable as error:
                self.missing.append(str(error))
                while len(self._numbers) > count:  # nothing may refer to what is left out with the field
                    self._numbers.popitem()
        return fields

    def _items(self, value: dict[Any, Any], where: str) -> list[Any]:
        return [[self.freeze(k, where), self.freeze(v, f"{where}[{k!r}]")] for k, v in value.items()]

    def _tensor(self, value: torch.Tensor) -> dict[str, Any]:
        if id(value) not in self._tensors:
            if type(value) not in (torch.Tensor, torch.nn.Parameter) or value.is_meta:
                raise NotPortable(f"a tensor of type {type(value).__name__} on {value.device} cannot be stored")
            self.size += value.numel() * value.element_size()
            if self.size > self._budget:
                raise TooLarge("more than the budget")
            clone = value.detach().to("cpu", copy=True).requires_grad_(value.requires_grad)
            if isinstance(value, torch.nn.Parameter):
                clone = torch.nn.Parameter(clone.detach(), value.requires_grad)
            self._tensors[id(value)] = value, clone
        return {"$": "tensor", "tensor": self._tensors[id(value)][1], "device": value.device.type}


def name_of(value: Any) -> str:
    """`module:qualified.name` of an importable object; raises NotPortable if it is not importable."""
    if isinstance(value, types.ModuleType):
        check_name(value.__name__, "")
        return f"{value.__name__}:"
    module, path = getattr(value, "__module__", None) or "builtins", value.__qualname__
    if value is not _looked_up(module, path):
        for home in ("torch", "torch.nn.functional"):  # built-in functions do not say where they are found
            if value is _looked_up(home, value.__name__):
                return f"{home}:{value.__name__}"
        raise NotPortable(f"{path} of {module} is created at run time, and cannot be imported by its name")
    check_name(module, path)
    return f"{module}:{path}"


def _looked_up(module: str, path: str) -> Any:
    value: Any = sys.modules.get(module)
    for part in path.split("."):
        value = getattr(value, part, None)
    return value
