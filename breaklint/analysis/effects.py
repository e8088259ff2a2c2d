"""What methods do to their own object, as far as their text tells: what they store in it, what they call on it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from breaklint.analysis.module import ClassInfo, Effects, FunctionInfo, Module
from breaklint.analysis.walking import dotted_name, walk

if TYPE_CHECKING:
    from breaklint.analysis.project import Project

ANY = "*"  # an attribute whose name is not known
DEPTH = 3  # how far methods that call methods are looked into; the machine does not follow further either
NAMING = frozenset({"register_buffer", "register_parameter", "add_module", "register_module", "__setattr__"})
GROWING = frozenset("append extend insert add update setdefault pop remove clear".split())


def may_store(
    project: Project, cls: ClassInfo, name: str, depth: int = DEPTH, after: ClassInfo | None = None
) -> frozenset[str]:
    """The attributes of an object of class `cls` that calling its method `name` (that of a class `after`) may store."""
    key = (cls, name, depth, after)
    known: frozenset[str] | None = project.memo.get(key)
    if known is None:
        project.memo[key] = frozenset()  # for methods that call each other
        mro = project.mro(cls)
        start = mro.index(after) + 1 if after in mro else 0
        classes = [item for item in mro[start:] if isinstance(item, ClassInfo) and name in item.methods]
        found = [(item.module, effects(item.methods[name])) for item in classes]
        called = {method for _, one in found for method in one.methods} if depth > 1 else set()
        handed = any(_is_followed(project, module, dotted) for module, one in found for dotted in one.functions)
        known = frozenset({ANY} if handed else ()).union(
            *(one.stores for _, one in found), *(may_store(project, cls, method, depth - 1) for method in called)
        )
        project.memo[key] = known
    return known


def effects(info: FunctionInfo) -> Effects:
    """What a method does to its own object, as far as its own text tells."""
    if info.effects is None:
        spec = info.node.args
        names = [parameter.arg for parameter in [*spec.posonlyargs, *spec.args][:1]]
        owner = names[0] if names else ""
        nodes = list(walk(info.node))
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        stores = frozenset((*_stored(nodes, owner), *stored_by_calls(calls, owner)))
        handed = (dotted_name(call.func) for call in calls if hands_over(call, owner))
        info.effects = Effects(stores, frozenset(methods_called(calls, owner)), frozenset(filter(None, handed)))
    return info.effects


def _stored(nodes: list[ast.AST], owner: str) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            node = node.value
        elif not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Load):
            continue
        if isinstance(node, ast.Attribute) and _is_name(node.value, owner):
            yield node.attr


def stored_by_calls(calls: list[ast.Call], owner: str) -> Iterator[str]:
    """The attributes of `owner` that are stored by naming them, or grown by a method."""
    for call in calls:
        if _is_name(call.func, "setattr") and call.args and _is_name(call.args[0], owner):
            yield _written(call.args[1:])
        elif isinstance(call.func, ast.Attribute) and _is_name(call.func.value, owner):
            if call.func.attr in NAMING:
                yield _written(call.args)
            elif call.func.attr in GROWING:
                yield ANY
        elif isinstance(call.func, ast.Attribute) and call.func.attr in GROWING:
            grown = call.func.value
            if isinstance(grown, ast.Attribute) and _is_name(grown.value, owner):
                yield grown.attr


def _written(arguments: list[ast.expr]) -> str:
    """The name that the first argument writes out."""
    name = arguments[0] if arguments else None
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ANY


def methods_called(calls: list[ast.Call], owner: str) -> Iterator[str]:
    """The methods that are called on the object, or on `super()`."""
    for call in calls:
        function = call.func
        if not isinstance(function, ast.Attribute):
            continue
        base = function.value
        if _is_name(base, owner) or is_super(base):
            yield function.attr


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def is_super(node: ast.expr) -> bool:
    """Whether an expression is `super()`."""
    return isinstance(node, ast.Call) and _is_name(node.func, "super")


def hands_over(call: ast.Call, owner: str) -> bool:
    """Whether the object itself is an argument, so that the function may store anything in it."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(isinstance(argument, ast.Name) and argument.id == owner for argument in given)


def _is_followed(project: Project, module: Module, dotted: str) -> bool:
    """Whether a call of that name leads into a function or class of the project."""
    return isinstance(project.resolve(module, dotted), (ClassInfo, FunctionInfo))
