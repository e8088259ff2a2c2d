"""Class decorators that replace `forward`: calls run the replacement."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import Value
from breaklint.interp.transfer.decorators import is_followed
from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.walking import dotted_name

NONE_REPLACED: Final[Mapping[str, Value]] = MappingProxyType({})
CALLED: Final = ("forward", "__call__")


class _Replaced(dict[ClassInfo, Mapping[str, Value]]):
    """By class: the attributes that its decorators store."""


def replaced_method(interp: AbstractInterpreter, cls: ClassInfo, name: str, owner: Value) -> Function | None:
    """The method that a decorator of the class, or of the defining base, has stored under a name."""
    method = replaced(interp, definer).get(name) if (definer := interp.project.definer(cls, name)) is not None else None
    return Function(method.info, owner, method.closure, method.defaults) if isinstance(method, Function) else None


def replaced(interp: AbstractInterpreter, cls: ClassInfo) -> Mapping[str, Value]:
    """The attributes that the decorators of a class store."""
    table = interp.memo(_Replaced)
    methods = table.get(cls)
    if methods is None:
        table[cls] = NONE_REPLACED  # for decorators that create instances of the class
        followed = [decorator for decorator in cls.node.decorator_list if _may_replace(interp, cls, decorator)]
        methods = table[cls] = _replacements(interp, cls, followed) if followed else NONE_REPLACED
    return methods


def _may_replace(interp: AbstractInterpreter, cls: ClassInfo, decorator: ast.expr) -> bool:
    """Whether the text of a decorator of the project contains a store of `forward` or `__call__`."""
    dotted = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
    function = interp.project.resolve(cls.module, dotted) if dotted is not None else None
    return isinstance(function, FunctionInfo) and any(function.may_hold(f".{name} =") for name in CALLED)


def _replacements(interp: AbstractInterpreter, cls: ClassInfo, followed: list[ast.expr]) -> Mapping[str, Value]:
    frame = interp.module_frame(cls.module)
    outer, interp.decorating = interp.decorating, (cls, {})
    try:
        for decorator in reversed(followed):
            if is_followed(frame, decorator):
                interp.invoke(frame, decorator, frame.eval(decorator), Arguments([ClassValue(cls)], {}))
        return interp.decorating[1]
    finally:
        interp.decorating = outer
