"""Functions that receive a parameter as an argument: their annotation, or their uses, determine its value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.interp.annotations import from_annotation
from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import Value
from breaklint.interp.objects import Instance
from breaklint.interp.parameter_inference import uses
from breaklint.interp.signatures import defaults, signature_of
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.object_effects import is_super
from breaklint.project.project import Project
from breaklint.project.walking import dotted_name


class _Annotations(dict[tuple[FunctionInfo, str], tuple[Module, ast.expr] | None]):
    """By parameter of a file: the annotation of a receiver that states an object."""


def annotated_receiver(interp: AbstractInterpreter, info: FunctionInfo, name: str) -> Value | None:
    """The object that the annotation of a receiver states for a parameter; None if there is none.

    `super().__init__(config)` shows that callers pass the `config: Config` of the base class.
    """
    annotation = _annotation(interp, info, name)
    return None if annotation is None else from_annotation(interp, *annotation)


def _annotation(interp: AbstractInterpreter, info: FunctionInfo, name: str) -> tuple[Module, ast.expr] | None:
    cache = info.module.derive(_Annotations, _Annotations)
    if (info, name) not in cache:
        cache[info, name] = None  # functions that call each other
        cache[info, name] = _search(interp, info, name)
    return cache[info, name]


def _search(interp: AbstractInterpreter, info: FunctionInfo, name: str) -> tuple[Module, ast.expr] | None:
    for callee, parameter in receivers_of(interp.project, info, name):
        node = next((each.annotation for each, _ in defaults(callee.node.args) if each.arg == parameter), None)
        annotation = _annotation(interp, callee, parameter) if node is None else (callee.module, node)
        if annotation is not None and isinstance(from_annotation(interp, *annotation), Instance):
            return None if any(map(_is_test, uses(info).get(name, ()))) else annotation
    return None


def _is_test(use: tuple[ast.Name, ast.AST]) -> bool:
    """Whether a use is an argument of `isinstance`."""
    call = use[1]
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "isinstance"


def receivers_of(project: Project, info: FunctionInfo, name: str) -> Iterator[tuple[FunctionInfo, str]]:
    """The functions and methods of the project that receive a parameter, each with its name there."""
    for function, key in _calls_with(info, name):
        callee, offset = _callee(project, info, function)
        if callee is None:
            continue
        signature = signature_of(callee)
        names = signature.names[offset:]
        if isinstance(key, int) and key < len(names):
            yield callee, names[key]
        elif key in signature.keywords and isinstance(key, str):
            yield callee, key


def _calls_with(info: FunctionInfo, name: str) -> Iterator[tuple[ast.expr, int | str]]:
    """The called functions that receive a parameter, with its position or keyword there."""
    for call in info.nodes.of(ast.Call):
        arguments: list[tuple[int | str | None, ast.expr]] = [(word.arg, word.value) for word in call.keywords]
        if not any(isinstance(argument, ast.Starred) for argument in call.args):
            arguments += enumerate(call.args)
        for key, value in arguments:
            if key is not None and isinstance(value, ast.Name) and value.id == name:
                yield call.func, key


def _callee(project: Project, info: FunctionInfo, function: ast.expr) -> tuple[FunctionInfo | None, int]:
    """The called function or method, with the number of parameters that the call binds by itself."""
    if isinstance(function, ast.Attribute) and is_super(function.value):
        return (None if info.cls is None else project.method(info.cls, function.attr, after=info.cls)), 1
    dotted = dotted_name(function) or "?"
    owner, _, method = dotted.partition(".")
    if owner == "self" and info.cls is not None:
        return project.method(info.cls, method), 1
    callee = project.resolve(info.module, dotted)
    return (callee if isinstance(callee, FunctionInfo) else None), 0
