"""The permitted content of stored modules and arguments.

Pickled objects run code when they are loaded; here an object is the name of its class and its fields, which
`torch.load(weights_only=True)` reads. Thawing imports classes by name, makes instances without calling any constructor,
and fills in their fields. Needs torch and the standard library.
"""

from __future__ import annotations

import collections
import enum
import sys
import types
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch
import torch.overrides

PLAIN = (type(None), bool, int, float, complex, str, bytes, torch.dtype, torch.layout, torch.Size)
"""Types whose values are stored as they are."""

_BUILTINS = {"int", "float", "bool", "complex", "str", "bytes", "list", "tuple", "dict", "set", "slice", "range"}
_OF_PYTHON = {
    "builtins": _BUILTINS,
    "math": None,
    "operator": None,
    "collections": {"OrderedDict"},
    "types": {"SimpleNamespace", "MappingProxyType"},
    "enum": {"Enum", "IntEnum", "Flag", "IntFlag"},
}
"""The names in Python's own modules that data may contain (None: all but `_CALLERS`)."""
_CALLERS = {"call", "methodcaller", "attrgetter"}
_MODULES = {"torch", "numpy", "math", "operator"}


class NotPortable(Exception):
    """A value cannot be stored, or stored data cannot be loaded; the message is the reason."""

    breaklint_kind = "load"


def is_plain_object(kind: type) -> bool:
    """Whether instances can be created without running code; a finalizer would read fields that are not set."""
    if kind.__module__ == "collections" and kind is not collections.OrderedDict:
        return False  # the factory of a defaultdict, the length of a deque are no fields
    made_bare = (dict, list, tuple, types.SimpleNamespace, torch.nn.Module)
    holds = issubclass(kind, made_bare) or kind.__new__ is object.__new__
    slots = any(getattr(base, "__slots__", ()) for base in kind.__mro__)
    return holds and not slots and not hasattr(kind, "__del__")


def check_name(module: str, path: str) -> None:
    """Data may name objects of models, but no function of Python that opens files or starts programs: raises
    NotPortable."""
    top = module.partition(".")[0]
    parts = [part for part in path.split(".") if part]
    if top in _OF_PYTHON:
        names = _OF_PYTHON[top]
        is_allowed = path not in _CALLERS if names is None else path in names
    else:
        is_allowed = top == "__main__" or top not in sys.stdlib_module_names
    if not is_allowed or any(part.startswith("__") for part in parts):
        raise NotPortable(f"{module}:{path} may not be named by stored data")


@dataclass(frozen=True)
class Own:
    """The code that a recording belongs to, and that is run anyway: below these folders, or in its class's package."""

    roots: tuple[str, ...] = ()
    package: str = ""

    def has(self, module: str) -> bool:
        """Whether an imported module belongs to it."""
        if module == "__main__" or (self.package and module.partition(".")[0] == self.package):
            return True
        file = getattr(sys.modules.get(module), "__file__", None)
        if not file or "site-packages" in file or "dist-packages" in file:
            return False
        return any(Path(root) in Path(file).resolve().parents for root in self.roots)


def check_value(value: Any, name: str, own: Own) -> None:
    """Raise NotPortable unless a model built from data may contain this object, and call it with any arguments.

    Classes of modules and enumerations, torch's operators, Python's objects that `check_name` allows, and the
    recording's own code may be named; functions that load files, compile or start processes may not.
    """
    module, _, path = name.partition(":")
    top = module.partition(".")[0]
    if top in _OF_PYTHON or own.has(module):
        return
    if isinstance(value, types.ModuleType):
        is_allowed = top in _MODULES
    elif isinstance(value, type):
        kinds = (torch.nn.Module, torch.autograd.Function, torch.Tensor, torch.dtype, enum.Enum)
        is_allowed = issubclass(value, kinds)
    else:
        is_allowed = any(value is function for function in _operators().get(getattr(value, "__name__", ""), ()))
    if not is_allowed or path.partition(".")[0] == "_C":
        raise NotPortable(
            f"{name} cannot be loaded from a recording: it is not an operator of torch or code of the project"
        )


@cache
def _operators() -> dict[str, list[Any]]:
    """Torch's functions on tensors, by name."""
    results: dict[str, list[Any]] = {}
    for functions in torch.overrides.get_overridable_functions().values():
        for function in functions:
            results.setdefault(getattr(function, "__name__", ""), []).append(function)
    return results
