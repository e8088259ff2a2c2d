"""Attributes that an instance does not have, by its class."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import Value
from breaklint.interp.objects import Instance
from breaklint.interp.values import Const
from breaklint.project.binding import SETTER
from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.stored_names import storing


class _Stored(dict[tuple[ClassInfo, str], bool]):
    """Whether a method of a class stores an attribute."""


def is_stored(interp: AbstractInterpreter, base: Instance, name: str) -> bool:
    """Whether a method of the class stores an attribute under its name, such as a constructor that is not followed."""
    cache, key = interp.memo(_Stored), (base.cls, name)
    if key not in cache:
        cache[key] = any(_storing(interp, base, name))
    return cache[key]


def is_left_to_setters(interp: AbstractInterpreter, base: Value, name: Value | None) -> bool:
    """Whether only the setter of a property, which outside code may call, stores an attribute."""
    if not (isinstance(base, Instance) and isinstance(name, Const) and isinstance(name.value, str)):
        return False
    if base.get(name.value) is not None or base.get("*") is not None:
        return False
    return {key.endswith(SETTER) for key in _storing(interp, base, name.value)} == {True}


def _storing(interp: AbstractInterpreter, base: Instance, name: str) -> Iterator[str]:
    """The methods that store an attribute, by their names."""
    classes = (cls for cls in interp.project.mro(base.cls) if isinstance(cls, ClassInfo))
    return (store.method for cls in classes for store in storing(cls, name))


def fallback(interp: AbstractInterpreter, cls: ClassInfo, name: str) -> FunctionInfo | None:
    """The `__getattr__` that Python calls for an attribute; None for one that imports a module at its first use, which
    precedes compilation, and for special names, which Python looks up on the class."""
    special = name.startswith("__") and name.endswith("__")
    method = None if special else interp.project.method(cls, "__getattr__")
    imports = method is not None and any(each.may_hold("import") for each in cls.methods.values())
    return None if imports else method
