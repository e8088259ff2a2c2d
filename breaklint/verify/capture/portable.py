"""What stored modules and arguments may hold.

Pickled objects run code when they are loaded; here an object is the name of its class and its fields, which
`torch.load(weights_only=True)` reads. Thawing imports classes by name, makes instances without calling any constructor,
and fills in their fields. Needs torch and the standard library.
"""

from __future__ import annotations

import collections
import sys
import types

import torch

PLAIN = (type(None), bool, int, float, complex, str, bytes, torch.dtype, torch.layout, torch.Size)
"""Types whose values are stored as they are."""

_LIBRARY = {"math", "operator", "collections", "functools", "typing", "types", "dataclasses", "enum"}
_BUILTINS = {"int", "float", "bool", "complex", "str", "bytes", "list", "tuple", "dict", "set", "slice", "range"}


class NotPortable(Exception):
    """A value cannot be stored, or stored data cannot be made into it; the message says why."""

    breaklint_kind = "load"


def is_plain_object(kind: type) -> bool:
    """Can instances be made without running code? A finalizer would see fields that its class never set."""
    if kind.__module__ == "collections" and kind is not collections.OrderedDict:
        return False  # the factory of a defaultdict, the length of a deque are no fields
    made_bare = (dict, list, tuple, types.SimpleNamespace, torch.nn.Module)
    holds = issubclass(kind, made_bare) or kind.__new__ is object.__new__
    slots = any(getattr(base, "__slots__", ()) for base in kind.__mro__)
    return holds and not slots and not hasattr(kind, "__del__")


def check_name(module: str, path: str) -> None:
    """Data may name what models hold, but nothing of Python's that opens files or starts programs: NotPortable."""
    top = module.partition(".")[0]
    if top == "builtins":
        allowed = path in _BUILTINS
    else:
        allowed = top in _LIBRARY or top == "__main__" or top not in sys.stdlib_module_names
    if not allowed:
        raise NotPortable(f"{module}:{path} may not be named by stored data")
