"""Registries: tables of a module that its decorators and statements fill when it is imported.

`TABLE = {}` and then `@register("hard")` above functions, `TABLE["soft"] = soft`, or `TABLE.update(...)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import ClassValue
from breaklint.interp.containers import Dict, Sequence
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.heap import run_late
from breaklint.interp.lattice import Value
from breaklint.interp.objects import Instance
from breaklint.interp.transfer.decorators import decorated, is_followed
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.walking import dotted_name


def fill(interp: AbstractInterpreter, module: Module, value: Value) -> None:
    """Run what fills the tables of a module, once, when one that is made empty is first read."""
    empty = (isinstance(value, Dict) and not value.items) or (isinstance(value, Sequence) and not value.items)
    if module in interp.filled or not (empty or isinstance(value, Instance)):
        return
    interp.filled.add(module)
    run_late(0, _fill, interp, interp.module_frame(module))


def _fill(interp: AbstractInterpreter, frame: Frame) -> None:
    module = frame.module
    for bound in list(module.names.values()):
        if isinstance(bound, FunctionInfo) and bound.decorators:
            decorated(interp, bound)
        elif isinstance(bound, ClassInfo):
            for decorator in reversed(bound.decorators):
                if is_followed(frame, decorator):
                    interp.invoke(frame, decorator, frame.eval(decorator), Arguments([ClassValue(bound)], {}))
    for statement in _stores(module):
        interp.run_statement(frame, statement)


def _stores(module: Module) -> Iterator[ast.stmt]:
    """The statements at the top level that store into what a name of the module holds, or call a method of it."""
    for statement in module.skeleton.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
            head = dotted_name(statement.targets[0].value)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            head = dotted_name(statement.value.func)
        else:
            continue
        if head is not None and isinstance(module.names.get(head.partition(".")[0]), (ast.expr, FunctionInfo)):
            yield statement
