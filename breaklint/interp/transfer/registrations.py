"""Registries: tables of a module that its decorators and statements fill at import.

`TABLE = {}` and then `@register("hard")` above functions, `TABLE["soft"] = soft`, `TABLE.update(...)`, or subclasses
of a class whose `__init_subclass__` stores them.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.containers import Dict, Sequence
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.heap import run_late
from breaklint.interp.lattice import Value
from breaklint.interp.objects import Instance
from breaklint.interp.transfer.decorators import decorated, is_followed
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.walking import dotted_name


class _Filled(set[ast.expr]):
    """The tables of modules that have been filled."""


def fill(
    interp: AbstractInterpreter, module: Module, names: Mapping[str, object], node: ast.expr, value: Value
) -> None:
    """Run the code that fills the table of `node`, once, at the first read of an empty table.

    `names` are those of the module, or of the class, that binds it.
    """
    empty = isinstance(value, (Dict, Sequence)) and not value.items
    filled = interp.memo(_Filled)
    if node in filled or not (empty or isinstance(value, Instance)):
        return
    filled.add(node)
    name = next((name for name, bound in names.items() if bound is node), "")
    if name:
        run_late(0, _fill, interp, interp.module_frame(module), name)


def _fill(interp: AbstractInterpreter, frame: Frame, name: str) -> None:
    for bound in list(frame.module.names.values()):
        if not isinstance(bound, (FunctionInfo, ClassInfo)):
            continue
        if isinstance(bound, ClassInfo):
            _announce(interp, frame, bound, name)
        for decorator in reversed(bound.decorators):
            if not _reaches(frame, decorator.func if isinstance(decorator, ast.Call) else decorator, name):
                continue
            if isinstance(bound, FunctionInfo):
                decorated(interp, bound)
            elif is_followed(frame, decorator):
                interp.invoke(frame, decorator, frame.eval(decorator), Arguments([ClassValue(bound)], {}))
    for statement in frame.module.skeleton.body:
        target = _target(statement)
        if target is not None and _reaches(frame, target, name):
            interp.run_statement(frame, statement)


def _announce(interp: AbstractInterpreter, frame: Frame, cls: ClassInfo, name: str) -> None:
    """Call the `__init_subclass__` of a base that names the table, as Python does for every subclass."""
    hook = interp.project.method(cls, "__init_subclass__", after=cls)
    if hook is not None and hook.may_hold(name):
        kwargs = {word.arg: frame.eval(word.value) for word in cls.node.keywords if word.arg not in (None, "metaclass")}
        interp.call(frame, Function(hook, ClassValue(cls)), [], {key: value for key, value in kwargs.items() if key})


def _target(statement: ast.stmt) -> ast.expr | None:
    """The table in which a statement stores, or the function or method that it calls."""
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        return statement.targets[0].value
    return statement.value.func if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) else None


def _reaches(frame: Frame, node: ast.expr, name: str) -> bool:
    """Whether an expression names a table, or a function whose text names it."""
    dotted = dotted_name(node)
    if dotted is None or name in dotted.split("."):
        return dotted is not None
    function = frame.interp.project.resolve(frame.module, dotted)
    return isinstance(function, FunctionInfo) and function.may_hold(name)
