"""Load recordings of `breaklint capture` from plain data (`portable`): modules, arguments, and the conditions of a
call.

Runs in the process of a variant.
"""

from __future__ import annotations

import enum
import functools
import importlib
import json
import logging
import sys
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from breaklint.calls.layout import MODULE, NOTE
from breaklint.calls.portable import NotPortable, Own, check_name, check_value, is_plain_object

Call = tuple[tuple[Any, ...], dict[str, Any]]
_SEQUENCES: dict[str, Callable[[Any], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "slice": lambda items: slice(*items),
    "range": lambda items: range(*items),
}
_KINDS = {"tensor", "numpy", "device", "same", "enum", "partial", "logger", "name", "object"}


class Thawer:
    """Converts data of `Freezer` to values; values of an accelerator are placed on `device`.

    `main` is the import name of the script's module, `own` the code that may be named.
    """

    def __init__(self, device: str, main: str, own: Own = Own()) -> None:  # noqa: B008 - it is frozen
        self._placed_on, self._main, self._own = device, main, own
        self._objects: dict[int, Any] = {}
        self._device_tensors: dict[int, torch.Tensor] = {}

    def thaw(self, data: Any) -> Any:
        """The value; NotPortable when a class is not there, or cannot be created from a recording."""
        if not isinstance(data, dict):
            return data
        kind = data["$"]
        if kind in _SEQUENCES:
            return _SEQUENCES[kind](self.thaw(item) for item in data["items"])
        if kind == "dict":
            return {self.thaw(key): self.thaw(value) for key, value in data["items"]}
        if kind not in _KINDS:
            raise NotPortable(f"stored data of an unknown kind: {kind!r}")
        return getattr(self, f"_{kind}")(data)

    def _tensor(self, data: Any) -> torch.Tensor:
        tensor: torch.Tensor = data["tensor"]
        if data["device"] == "cpu" or torch.device(self._placed_on).type == "cpu":
            return tensor
        if id(tensor) not in self._device_tensors:
            copy = tensor.detach().to(self._placed_on).requires_grad_(tensor.requires_grad)
            is_parameter = isinstance(tensor, torch.nn.Parameter)
            self._device_tensors[id(tensor)] = torch.nn.Parameter(copy, tensor.requires_grad) if is_parameter else copy
        return self._device_tensors[id(tensor)]

    def _numpy(self, data: Any) -> Any:
        return self._tensor(data["tensor"]).numpy()

    def _device(self, data: Any) -> torch.device:
        return torch.device("cpu" if data["type"] == "cpu" else self._placed_on)

    def _same(self, data: Any) -> Any:
        return self._objects[data["number"]]

    def _enum(self, data: Any) -> Any:
        kind = self._import(data["class"])
        if not isinstance(kind, type) or not issubclass(kind, enum.Enum):
            raise NotPortable(f"{data['class']} is not an enumeration")
        return kind[data["name"]]

    def _partial(self, data: Any) -> Any:
        return functools.partial(self.thaw(data["func"]), *self.thaw(data["args"]), **self.thaw(data["keywords"]))

    def _logger(self, data: Any) -> logging.Logger:
        return logging.getLogger(data["name"])

    def _name(self, data: Any) -> Any:
        value = self._import(data["name"])
        check_value(value, data["name"], self._own)
        return value

    def _object(self, data: Any) -> Any:
        made_of: Any = self._import(data["class"])
        if not isinstance(made_of, type) or not is_plain_object(made_of):
            raise NotPortable(f"{data['class']} cannot be created from a recording")
        if "__call__" in dir(made_of) and not issubclass(made_of, torch.nn.Module):
            check_value(made_of, data["class"], self._own)
        items = data.get("items", [])
        if issubclass(made_of, tuple):
            self._objects[data["number"]] = tuple.__new__(made_of, [self.thaw(item) for item in items])
            return self._objects[data["number"]]
        value: Any = made_of.__new__(made_of)
        self._objects[data["number"]] = value
        if issubclass(made_of, dict):
            # A subclass may refuse or check items.
            base: Any = OrderedDict if issubclass(made_of, OrderedDict) else dict
            for key, item in items:
                base.__setitem__(value, self.thaw(key), self.thaw(item))
        elif issubclass(made_of, list):
            list.extend(value, [self.thaw(item) for item in items])
        for name, field in data["fields"].items():
            value.__dict__[name] = self.thaw(field)
        return value

    def _import(self, name: str) -> Any:
        module, _, path = name.partition(":")
        check_name(module, path)
        try:
            value: Any = importlib.import_module(self._main if module == "__main__" else module)
            for part in filter(None, path.split(".")):
                value = getattr(value, part)
        except (ImportError, AttributeError) as error:
            raise NotPortable(f"{name} is not there: {error}") from error
        return value


def load_captured(folder: Path, device: str, main: str, own: Own = Own()) -> tuple[Any, Call]:  # noqa: B008 - frozen
    """The module as it was before its first recorded call, and that call's arguments.

    Tensors of an accelerator are put on `device`. `main` is the import name of the module that stands for the script,
    `own` the code that the recording may name.

    Raises:
        NotPortable: a class is gone.
    """
    thawer = Thawer(device, main, own)
    model = thawer.thaw(_read(folder / MODULE)["module"])
    return model, _call(thawer, folder / "call-0.pt")


def further_captured_calls(
    folder: Path,
    device: str,
    main: str,
    own: Own = Own(),  # noqa: B008 - frozen
) -> dict[str, Call]:
    """The other recorded calls, by name."""
    files = sorted(folder.glob("call-*.pt"), key=lambda path: int(path.stem.partition("-")[2]))
    return {f"recorded {path.stem.replace('-', ' ')}": _call(Thawer(device, main, own), path) for path in files[1:]}


def enter_conditions(folder: Path, paths: list[str], device: str) -> None:
    """Put this process under the conditions of the recorded call, until it ends: search path, default dtype, autocast.

    Restricts the recorded search path to `paths`.
    """
    note = json.loads((folder / NOTE).read_text("utf-8"))
    sys.path += [path for path in paths if path not in sys.path]
    torch.set_default_dtype(getattr(torch, note["default_dtype"]))
    kind = torch.device(device).type
    dtype = note["autocast"].get(kind) or next(iter(note["autocast"].values()), None)
    if dtype is not None:
        # The cache would hold on to weights of the first call: a module made again has others.
        torch.autocast(kind, getattr(torch, dtype), cache_enabled=False).__enter__()


def _call(thawer: Thawer, path: Path) -> Call:
    data = _read(path)
    return tuple(thawer.thaw(data["args"])), dict(thawer.thaw(data["kwargs"]))


def _read(path: Path) -> Any:
    return torch.load(path, map_location="cpu", weights_only=True)
