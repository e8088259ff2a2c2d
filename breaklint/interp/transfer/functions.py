"""Calls of the project's functions."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import Function
from breaklint.interp.events import Call
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.models import compilers
from breaklint.project.module import FunctionInfo
from breaklint.project.project import Project
from breaklint.project.walking import dotted_name

# No schema: what Dynamo does not trace into, by the names under which one function is found.
DISABLING: Final = frozenset({"torch.compiler.disable", "torch._dynamo.disable", "torch._disable_dynamo"})


def call_function(frame: Frame, node: ast.expr, callee: Function, given: Arguments) -> Value:
    """Follow a call into a function of the project, unless Dynamo would not."""
    if is_disabled(frame.interp.project, callee.info):
        frame.emit(Call(node, frame, "torch.compiler.disable", given.args, given.kwargs, starred=given.starred))
        return UNKNOWN
    name = f"{callee.info.module.name}.{callee.info.name}" if frame.interp.is_driving else ""
    if name in compilers.COMPILERS:
        return compilers.call(frame, node, name, given)
    return frame.interp.call(frame, callee, given.args, given.kwargs, given.starred, node)


def is_disabled(project: Project, info: FunctionInfo) -> bool:
    """Whether a decorator keeps Dynamo out of the function."""
    return bool(info.decorators) and not DISABLING.isdisjoint(decorator_names(project, info))


def decorator_names(project: Project, info: FunctionInfo) -> set[str]:
    """Qualified names of the decorators of a function that come from outside the project."""
    names = set()
    for decorator in info.decorators:
        dotted = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
        found = project.resolve(info.module, dotted) if dotted else None
        if isinstance(found, str):
            names.add(found)
    return names
