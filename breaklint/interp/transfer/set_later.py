"""Attributes that a method sets for later calls, `set_chunks(n)`: what the constructor stored may be replaced."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import NONE, Const, Static, Tensor, constant_kind
from breaklint.project.binding import SETTER
from breaklint.project.module import ClassInfo

# What runs the methods that build an object, and those that are traced, whose stores are followed.
FOLLOWED: Final = ("__init__", "__post_init__", "forward", "__call__", "reset_parameters")


def as_set_later(interp: AbstractInterpreter, cls: ClassInfo, name: str, value: Value) -> Value:
    """What an attribute is once a method of its class may have set it: a constant is open, and so is a rank."""
    fixed = isinstance(value, Const) or (isinstance(value, Tensor) and value.ndim is not None)
    if not fixed or name.startswith("__") or not _is_set(interp, cls, name):
        return value
    if isinstance(value, Tensor):
        return Tensor(value.dtype, None, value.assumed, value.role)
    return UNKNOWN if value is NONE else Static(constant_kind(value))


def _is_set(interp: AbstractInterpreter, cls: ClassInfo, name: str) -> bool:
    known, key = interp.set_later, (cls, name)
    if key not in known:
        known[key] = bool(_setting(interp, cls, name) - _followed(interp, cls))
    return known[key]


def _setting(interp: AbstractInterpreter, cls: ClassInfo, name: str) -> set[str]:
    """The methods of the project that assign an attribute of their object."""
    found = set()
    for base in interp.project.mro(cls):
        if not isinstance(base, ClassInfo) or base.module.installed or not base.may_hold(name):
            continue
        for key, method in base.methods.items():
            if key not in FOLLOWED and method.may_hold(name) and any(
                node.attr == name and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
                and node.value.id == "self"
                for node in method.nodes.of(ast.Attribute)
            ):  # fmt: skip
                found.add(key.removesuffix(SETTER))
    return found


def _followed(interp: AbstractInterpreter, cls: ClassInfo) -> set[str]:
    """The methods that the constructor and the forward lead to."""
    found, todo = set(FOLLOWED), [*FOLLOWED]
    while todo:
        name = todo.pop()
        for base in interp.project.mro(cls):
            method = base.methods.get(name) if isinstance(base, ClassInfo) else None
            for node in method.nodes.of(ast.Attribute) if method is not None else ():
                if isinstance(node.value, (ast.Name, ast.Call)) and node.attr not in found:
                    found.add(node.attr)
                    todo.append(node.attr)
    return found
