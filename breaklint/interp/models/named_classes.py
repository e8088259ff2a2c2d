"""Classes that code selects by an unknown string: `getattr(heads, kind)`, `globals()[kind]`."""

from __future__ import annotations

from breaklint.interp.callables import ClassValue
from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import UNKNOWN, Value, join_all
from breaklint.project.module import ClassInfo


class _Classes(dict[str, Value]):
    """By module: the join of the classes that it binds."""


def any_of(interp: AbstractInterpreter, module: str) -> Value:
    """One of the classes that a module of the project binds to public names; UNKNOWN if it binds none."""
    cache = interp.memo(_Classes)
    if module not in cache:
        info = interp.project.module(module)
        names = [name for name in info.names if not name.startswith("_")] if info is not None else []
        values = [interp.project.resolve(info, name) for name in names] if info is not None else []
        cache[module] = join_all([ClassValue(value) for value in values if isinstance(value, ClassInfo)]) or UNKNOWN
    return cache[module]
