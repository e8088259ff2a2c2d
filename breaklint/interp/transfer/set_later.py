"""Attributes that a method sets for later calls, `set_chunks(n)`, which may replace the constructor's value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import NONE, Const, Static, Tensor, constant_kind
from breaklint.project.binding import SETTER
from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.stored_names import storing

# Methods that build an object or are traced: their stores are followed.
FOLLOWED: Final = ("__init__", "__post_init__", "forward", "__call__", "reset_parameters")


class _SetLater(dict[tuple[ClassInfo, str], bool]):
    """By class and attribute: whether a method sets the attribute for later calls."""


def as_set_later(interp: AbstractInterpreter, cls: ClassInfo, name: str, value: Value) -> Value:
    """The value of an attribute that a method may have set before: constants and ranks become unknown."""
    fixed = isinstance(value, Const) or (isinstance(value, Tensor) and value.ndim is not None)
    if not fixed or name.startswith("__") or not _is_set(interp, cls, name):
        return value
    if isinstance(value, Tensor):
        return Tensor(value.dtype, None, value.assumed, value.role)
    return UNKNOWN if value is NONE else Static(constant_kind(value))


class _Followed(dict[ClassInfo, set[str]]):
    """By class: the methods that the constructor and `forward` reach."""


def _is_set(interp: AbstractInterpreter, cls: ClassInfo, name: str) -> bool:
    cache, key = interp.memo(_SetLater), (cls, name)
    if key not in cache:
        setting = set(_setting(interp, cls, name))
        cache[key] = bool(setting) and not setting <= _followed(interp, cls)
    return cache[key]


def _setting(interp: AbstractInterpreter, cls: ClassInfo, name: str) -> Iterator[str]:
    """The methods of the project that assign an attribute of their own instance."""
    for base in interp.project.mro(cls):
        if isinstance(base, ClassInfo) and not base.module.installed:
            for method, itself in storing(base, name):
                if itself and method not in FOLLOWED:
                    yield method


def _followed(interp: AbstractInterpreter, cls: ClassInfo) -> set[str]:
    """The methods that the constructor and `forward` reach."""
    cache = interp.memo(_Followed)
    if cls in cache:
        return cache[cls]
    methods, todo = set(FOLLOWED), [*FOLLOWED]
    cache[cls] = methods
    while todo:
        name = todo.pop()
        for base in interp.project.mro(cls):
            method = base.methods.get(name) if isinstance(base, ClassInfo) else None
            names = () if method is None else method.derive(_names)
            new = [attribute for attribute in names if attribute not in methods]
            methods.update(new)
            todo += new
    return methods


def _names(method: FunctionInfo) -> tuple[str, ...]:
    """The attributes that a method reads or, with the suffix of setters, stores."""
    attributes = (each for each in method.nodes.of(ast.Attribute) if isinstance(each.value, (ast.Name, ast.Call)))
    stores = (each.attr + SETTER if isinstance(each.ctx, ast.Store) else each.attr for each in attributes)
    return tuple(dict.fromkeys(stores))
