"""What a function reads: names, methods and attributes, and what the functions of the project behind them read."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from breaklint.fixes.base import FixRequest
from breaklint.fixes.proofs.bindings import Bindings
from breaklint.fixes.proofs.containers import may_change
from breaklint.fixes.proofs.top_level import ANY_TIME
from breaklint.interp.callables import ClassValue
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.lattice import UNKNOWN, Value, options
from breaklint.interp.objects import Instance
from breaklint.project.module import ClassInfo, FunctionInfo, ImportedName, Module
from breaklint.project.own_names import FUNCTIONS
from breaklint.project.project import Project
from breaklint.project.walking import dotted_name, walk

DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call)
MOST_HOPS = 12  # of one file's import to the next


class Read(NamedTuple):
    """A name that a function reads, `is_attribute`: as one of an object or a module; `of_object`: of an object of the
    project; `of_contents`: where it is a list or dict.

    `functions` are those of the project that it may stand for; `rebound` tells that a file may give it another value,
    or other contents; `is_store`, that it is stored or deleted instead; `is_above`, that it is one of `super()`.
    """

    name: str
    functions: list[FunctionInfo]
    is_attribute: bool = False
    of_object: bool = False
    of_contents: bool = False
    rebound: bool = False
    is_store: bool = False
    is_above: bool = False


def reads(request: FixRequest, project: Project, values: Mapping[ast.AST, Value]) -> Iterator[Read]:
    """What a function reads, and what the functions of the project behind that read in turn."""
    waiting: list[tuple[Module, ast.AST]] = [(request.module, request.scope.root)]
    seen: set[object] = {request.scope.root}
    while waiting:
        module, root = waiting.pop()
        own = _bindings(project, module).own(root) if isinstance(root, FUNCTIONS) else ()
        for node in walk(root):
            is_own = isinstance(node, ast.Name) and node.id in own
            read = None if is_own else _read(project, module, node, values)
            key = None if read is None else (module, read.name, *read[2:])
            if read is None or key in seen:
                continue
            seen.add(key)
            yield read
            for function in read.functions:
                if function.node not in seen:
                    seen.add(function.node)
                    waiting.append((function.module, function.node))


def _read(project: Project, module: Module, node: ast.AST, values: Mapping[ast.AST, Value]) -> Read | None:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        found = project.resolve(module, node.id)
        return Read(
            node.id,
            [found] if isinstance(found, FunctionInfo) else [],
            rebound=_is_rebound(project, module, node.id, node.lineno),
        )
    if isinstance(node, ast.AugAssign):  # whose target is read and stored
        node = node.target
    elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return Read(node.attr, [], True, _is_object(node.value, values), is_store=True)
    if isinstance(node, ast.Attribute):
        read = _attribute(project, module, node.attr, node.value, values)
        return read._replace(of_contents=_holds_items(values.get(node, UNKNOWN)))
    if isinstance(node, ast.Call) and dotted_name(node.func) == "getattr" and len(node.args) > 1:
        name = node.args[1].value if isinstance(node.args[1], ast.Constant) else ""
        if name and isinstance(name, str):
            read = _attribute(project, module, name, node.args[0], values)
            return read._replace(of_contents=_holds_items(values.get(node, UNKNOWN)))
    return None


def _holds_items(value: Value) -> bool:
    """Whether a value may be a list or dict, whose items can be replaced, or a tuple that holds such."""
    for each in options(value):
        if isinstance(each, Dict) or (isinstance(each, Sequence) and each.kind != "tuple"):
            return True
        if isinstance(each, Sequence) and each.element is not None and _holds_items(each.element):
            return True
        if isinstance(each, Tuple) and any(_holds_items(item) for item in each.items):
            return True
    return False


def _attribute(project: Project, module: Module, name: str, owner: ast.expr, values: Mapping[ast.AST, Value]) -> Read:
    """`owner.name`, of an object, a module, or what is above the class."""
    dotted = dotted_name(owner)
    found = project.resolve(module, dotted) if dotted else None
    if isinstance(found, Module):
        bound = found.names.get(name)
        rebound = name in _bindings(project, module).stored or _is_rebound(project, found, name, ANY_TIME)
        return Read(name, [bound] if isinstance(bound, FunctionInfo) else [], True, rebound=rebound)
    is_above = isinstance(owner, ast.Call) and dotted_name(owner.func) == "super"
    methods = [cls.methods[name] for cls in module.classes if name in cls.methods]
    of_object = not is_above and (isinstance(found, ClassInfo) or _is_object(owner, values))
    return Read(name, methods, True, of_object, is_above=is_above)


def _is_rebound(
    project: Project, module: Module, name: str, row: int, above: tuple[tuple[Module, str], ...] = ()
) -> bool:
    """Whether a name of a file, or what it is imported as from other files of the project, may have several values, or
    be a list or dict that one of these files changes; `above` are the files that import it, with its name in each."""
    bound, names = module.names.get(name), (*above, (module, name))
    if _bindings(project, module).may_change(name, row):
        return True
    if isinstance(bound, DISPLAYS):
        return any(may_change(file, called) for file, called in names)
    if not isinstance(bound, ImportedName) or len(above) == MOST_HOPS:
        return False
    library, _, original = bound.qualified.rpartition(".")
    other = project.module(library) if library else None
    return other is not None and _is_rebound(project, other, original, ANY_TIME, names)


def _bindings(project: Project, module: Module) -> Bindings:
    return module.derive(Bindings, lambda: Bindings(module, project))


def _is_object(node: ast.AST, values: Mapping[ast.AST, Value]) -> bool:
    """Whether an expression may be an object of the project: by its value, or as `self` of code that was not traced."""
    known = any(isinstance(each, (Instance, ClassValue)) for each in options(values.get(node, UNKNOWN)))
    return known or (dotted_name(node) or "").partition(".")[0] == "self"
