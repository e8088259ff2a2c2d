"""Whether the functions and methods that code calls are those that the interpreter takes them for."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest
from breaklint.interp.transfer.decorators import is_understood
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.walking import walk

HOOKS = frozenset({"__getattribute__", "__class__"})  # what decides for every attribute


def replaced_call(request: FixRequest) -> str:
    """A function or method that the finding's function reaches by its name and that may be another one: the file stores
    something else under the name, a subclass in the file overrides it, or its decorators are not understood. "" where
    there is none."""
    doubtful = _stored(request) | _overridden(request)
    interp = request.event.frame.interp
    for name, functions in _reached(request).items():
        if name in doubtful or not all(is_understood(interp, function) for function in functions):
            return name
    return ""


def _stored(request: FixRequest) -> set[str]:
    """The methods of the file's classes under whose names it also stores something else."""
    classes, stored = request.module.classes, request.bindings.patched
    methods = {name for cls in classes for name in cls.methods}
    twice = {name for cls in classes for name in cls.methods if name in cls.attributes}
    return methods if HOOKS & (methods | stored) else methods & stored | twice


def _overridden(request: FixRequest) -> set[str]:
    """What classes below the finding's class in the file, or another class of its name, define."""
    own, project = request.cls, request.event.frame.interp.project
    found: set[str] = set()
    for cls in request.module.classes if own is not None else ():
        if own is not None and cls is not own and (cls.name == own.name or own in project.mro(cls)):
            found.update(cls.methods)
    return found


def _reached(request: FixRequest) -> dict[str, list[FunctionInfo]]:
    """The names that a function reads, and those that the functions of the file behind these read in turn, each with
    the functions of the file that it may stand for."""
    module, reached, waiting = request.module, dict[str, list[FunctionInfo]](), [request.scope.root]
    while waiting:
        for node in walk(waiting.pop()):
            name = _read(node)
            if name and name not in reached:
                reached[name] = _functions(module, name, isinstance(node, ast.Attribute))
                waiting += [function.node for function in reached[name]]
    return reached


def _read(node: ast.AST) -> str:
    """The name or attribute that a node reads, but not of `super()`: a class knows what is above it."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        base = node.value.func if isinstance(node.value, ast.Call) else None
        return "" if isinstance(base, ast.Name) and base.id == "super" else node.attr
    return ""


def _functions(module: Module, name: str, is_attribute: bool) -> list[FunctionInfo]:
    if is_attribute:
        return [cls.methods[name] for cls in module.classes if name in cls.methods]
    bound = module.names.get(name)
    return [bound] if isinstance(bound, FunctionInfo) else []
