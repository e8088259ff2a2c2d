"""Decorators of the project: the value of a decorated name is the decorator's result."""

from __future__ import annotations

import ast

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import Function, Partial
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.lattice import Value
from breaklint.interp.models import compilers
from breaklint.interp.objects import Instance
from breaklint.interp.values import ExternalInstance, ExternalName
from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.project import BUILTINS
from breaklint.project.walking import dotted_name

KEEPING = frozenset("abc contextlib functools numpy torch typing typing_extensions".split())  # libraries
PROPERTY_PARTS = frozenset({"setter", "getter", "deleter"})
DISPATCHER = "numba.Dispatcher"  # the class of a function that Numba compiles


def decorated(interp: AbstractInterpreter, info: FunctionInfo) -> Value:
    """The value of a function's name: the result of its decorators, if the project defines them."""
    if not info.decorators:
        return Function(info)
    cached = interp.decorated.get(info)
    if cached is None:
        interp.decorated[info] = Function(info)  # for decorators that use the decorated function
        cached = interp.decorated[info] = wrapped(interp.module_frame(info.module), info, Function(info))
    return cached


def wrapped(frame: Frame, info: FunctionInfo, function: Function) -> Value:
    """The result of the decorators of a function that is defined in a frame."""
    value: Value = function
    for decorator in reversed(info.decorators):
        if compiles(frame, decorator):
            if not frame.context.traced:
                decorate(frame, decorator, value)
        elif is_followed(frame, decorator):
            result = decorate(frame, decorator, value)
            if isinstance(result, (Function, Partial, Instance)):
                value = result
            else:
                frame.interp.opaque.add(info)
        elif not _keeps(frame, decorator):
            frame.interp.opaque.add(info)
            if _is_compiled_by_numba(frame, decorator):
                value = ExternalInstance(DISPATCHER)
    return value


def decorate(frame: Frame, decorator: ast.expr, value: Value) -> Value:
    """The result of a decorator for a value."""
    maker = frame.eval_untraced(decorator)
    saved, frame.context = frame.context, frame.context.untraced()
    try:
        return frame.interp.invoke(frame, decorator, maker, Arguments([value], {}))
    finally:
        frame.context = saved


def compiles(frame: Frame, decorator: ast.expr) -> bool:
    """Whether a decorator passes its argument to the compiler: `@torch.compile(...)`, or a name for it."""
    name = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
    callee = frame.lookup(name) or frame.interp.project.resolve(frame.module, name)
    if isinstance(callee, str) and callee != "functools.partial":
        return callee in compilers.COMPILERS
    computed = isinstance(callee, (tuple, Partial)) or callee == "functools.partial"
    return computed and compilers.is_compiler(frame.eval_untraced(decorator))


def _keeps(frame: Frame, decorator: ast.expr) -> bool:
    """Whether a decorator outside the project preserves the function's result, or is modelled."""
    dotted = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
    callee = frame.interp.project.resolve(frame.module, dotted)
    if callee is None:
        return dotted in BUILTINS or dotted.rpartition(".")[2] in PROPERTY_PARTS
    return isinstance(callee, str) and callee.partition(".")[0] in KEEPING


def _is_compiled_by_numba(frame: Frame, decorator: ast.expr) -> bool:
    callee = frame.eval_untraced(decorator.func if isinstance(decorator, ast.Call) else decorator)
    return isinstance(callee, ExternalName) and callee.name.startswith("numba.")


def is_followed(frame: Frame, decorator: ast.expr) -> bool:
    """Whether a decorator is a function, a class, or a method of an instance, of the project."""
    callee = decorator.func if isinstance(decorator, ast.Call) else decorator
    dotted = dotted_name(callee)
    if dotted is None:
        return False
    if isinstance(frame.lookup(dotted), Function):
        return True
    project, (head, _, method) = frame.interp.project, dotted.partition(".")
    if method and isinstance(project.resolve(frame.module, head), tuple):
        return isinstance(frame.eval_untraced(callee), Function)
    return isinstance(project.resolve(frame.module, dotted), (FunctionInfo, ClassInfo))


def bound(value: Value, owner: Value) -> Function | None:
    """A wrapper bound to an owner, None if it is not a function."""
    return Function(value.info, owner, value.closure) if isinstance(value, Function) and value.owner is None else None
