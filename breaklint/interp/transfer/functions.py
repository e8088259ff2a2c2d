"""Calls of the project's functions."""

from __future__ import annotations

import ast
import re
from typing import Final

from breaklint.interp import parameters
from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import Function
from breaklint.interp.events import Call
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.models import compilers
from breaklint.interp.models.operators import has_fake
from breaklint.interp.models.torch_names import CUSTOM_OP, DISABLED, DISABLING
from breaklint.interp.transfer import dispatching
from breaklint.project.module import FunctionInfo
from breaklint.project.project import Project
from breaklint.project.syntax import is_literal, keyword_of
from breaklint.project.walking import dotted_name

CHECKING: Final = "jaxtyping.jaxtyped"


def call_function(frame: Frame, node: ast.expr, callee: Function, arguments: Arguments) -> Value:
    """Call a function of the project, unless Dynamo does not trace it, or it is measured."""
    if callee.info.decorators:
        names = decorator_names(frame.interp.project, callee.info)
        if not DISABLING.isdisjoint(names):
            frame.emit(Call(node, frame, DISABLED, arguments.args, arguments.kwargs, starred=arguments.starred))
            if not (frame.context.traced and calls_are_compiled(callee.info)):
                return UNKNOWN
            frame.interp.eager.add(callee.info)
        if frame.context.traced and (opaque := _opaque(callee.info, names)):
            if opaque != CUSTOM_OP or _needs_fake(callee.info):
                frame.emit(Call(node, frame, opaque, arguments.args, arguments.kwargs, starred=arguments.starred))
            return parameters.as_promised(frame.interp, callee.info, UNKNOWN)
        for dispatcher in names.intersection(dispatching.DISPATCHERS):
            return dispatching.call(frame, node, callee, arguments, dispatcher)
    may_be_measured = callee.info.module.installed and frame.context.traced
    if may_be_measured or frame.interp.is_driving:
        name = f"{callee.info.module.name}.{callee.info.name}"
        if may_be_measured and frame.interp.facts.use(f"{name}()"):
            frame.emit(Call(node, frame, name, arguments.args, arguments.kwargs, starred=arguments.starred))
            return parameters.as_promised(frame.interp, callee.info, UNKNOWN)
        if frame.interp.is_driving and name in compilers.COMPILERS:
            return compilers.call(frame, node, name, arguments)
    return frame.interp.call(frame, callee, arguments.args, arguments.kwargs, arguments.starred, node)


def is_disabled(project: Project, info: FunctionInfo) -> bool:
    """Whether a decorator keeps Dynamo out of the function."""
    return bool(info.decorators) and not DISABLING.isdisjoint(decorator_names(project, info))


def calls_are_compiled(info: FunctionInfo) -> bool:
    """Whether Dynamo runs a function in eager mode, but compiles the functions that it calls: `recursive=False`."""
    return any(is_literal(keyword_of(decorator, "recursive"), False) for decorator in info.decorators)


def _opaque(info: FunctionInfo, names: set[str]) -> str:
    """The decorator because of which compiled code does not trace the function: that of a custom operator, or a checker
    of each call's arguments; "" if there is none."""
    if CUSTOM_OP in names:
        return CUSTOM_OP
    return CHECKING if CHECKING in names and _has_checker(info) else ""


def _needs_fake(info: FunctionInfo) -> bool:
    """Whether a custom operator has a result, and no fake implementation infers it."""
    returns = info.node.returns if isinstance(info.node, ast.FunctionDef) else None
    if is_literal(returns, None):
        return False
    decorators = (each for decorator in info.decorators if isinstance(decorator, ast.Call) for each in decorator.args)
    texts = (each.value for each in decorators if isinstance(each, ast.Constant))  # `@custom_op("mini::scale", ...)`
    names = {info.name, *(str(text) for text in texts)}
    return not any(has_fake(info.module, re.split(r"[.:]", name)[-1]) for name in names)


def _has_checker(info: FunctionInfo) -> bool:
    """Whether `jaxtyped(typechecker=...)` names a checker."""
    checkers = (keyword_of(decorator, "typechecker") for decorator in info.decorators)
    return any(checker is not None and not is_literal(checker, None) for checker in checkers)


def decorator_names(project: Project, info: FunctionInfo) -> set[str]:
    """The qualified names of a function's decorators from outside the project."""
    names = set()
    for decorator in info.decorators:
        dotted = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
        callee = project.resolve(info.module, dotted) if dotted else None
        if isinstance(callee, str):
            names.add(callee)
    return names
