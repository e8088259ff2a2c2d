"""Statements that bind functions, classes and imports, or declare the scope of a name."""

from __future__ import annotations

import ast
from typing import Any

from breaklint.interp.callables import ClassValue
from breaklint.interp.events import Call, ClassDefinition, FailingImport
from breaklint.interp.frame import Frame
from breaklint.interp.models.torch_names import DISABLED
from breaklint.interp.transfer import decorators, names
from breaklint.interp.transfer.functions import is_disabled
from breaklint.project.binding import bind_import, class_info


def visit_FunctionDef(frame: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    function = names.inner_function(frame, node)
    if frame.context.traced and is_disabled(frame.interp.project, function.info):
        frame.emit(Call(node.decorator_list[0], frame, DISABLED, [function], {}))
    frame.env[node.name] = decorators.wrapped(frame, function.info, function)


def visit_ClassDef(frame: Frame, node: ast.ClassDef) -> None:
    frame.emit(ClassDefinition(node, frame))
    definition = next((info for info in frame.module.classes if info.node is node), None)
    frame.env[node.name] = ClassValue(definition or class_info(frame.module, node, frame.name + "."))


def visit_Import(frame: Frame, node: ast.Import | ast.ImportFrom) -> None:
    bound: dict[str, Any] = {}
    bind_import(frame.module, node, bound)
    for name, imported in bound.items():
        package = imported.qualified.partition(".")[0]
        if frame.context.traced and "try" in frame.context.blocks and frame.interp.project.lacks(package):
            frame.emit(FailingImport(node, frame, package))
        frame.env[name] = names.as_value(frame.interp, frame.interp.project.lookup(imported.qualified))


def visit_Nonlocal(frame: Frame, node: ast.Nonlocal) -> None:
    for name in node.names:
        scope = frame.closure
        while scope is not None and name not in scope.env:
            scope = scope.closure
        if scope is not None:
            frame.outer[name] = scope


def visit_Global(frame: Frame, node: ast.Global) -> None:
    frame.outer.update(dict.fromkeys(node.names, frame.interp.module_scope(frame.module)))
