"""What the code of a function reads: names and attributes, and what the functions of the project behind them read."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator, Mapping

from breaklint.analysis.file_index import file_index
from breaklint.analysis.model import FunctionModel
from breaklint.analysis.questions import Read
from breaklint.analysis.top_level import ANY_TIME
from breaklint.interp.callables import ClassValue
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.lattice import UNKNOWN, Value, options
from breaklint.interp.objects import Instance
from breaklint.project.module import ClassInfo, FunctionInfo, ImportedName, Module
from breaklint.project.own_names import FUNCTIONS, declared, own_names
from breaklint.project.project import BUILTINS, Project
from breaklint.project.syntax import text_of
from breaklint.project.walking import dotted_name, walk

DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call)
MOST_HOPS = 12  # of one file's import to the next
Found = tuple[Read, list[FunctionInfo]]  # what is read, and the functions of the project that it may stand for


def reads(
    model: FunctionModel, project: Project, values: Mapping[ast.AST, Value], parts: Iterable[ast.AST] = ()
) -> Iterator[Found]:
    """What a function, or parts of it, read, and what the functions of the project behind that read in turn."""
    waiting: list[tuple[Module, ast.AST]] = [(model.module, part) for part in parts or [model.scope.root]]
    seen: set[object] = {model.scope.root}
    around = _own(model.module, model.scope.root) if parts and isinstance(model.scope.root, FUNCTIONS) else frozenset()
    while waiting:
        module, root = waiting.pop()
        own = _own(module, root) if isinstance(root, FUNCTIONS) else around if root in parts else frozenset[str]()
        for node in walk(root):
            is_own = isinstance(node, ast.Name) and node.id in own
            found = None if is_own else _read(model.module, project, module, node, values)
            if found is None or (module, found[0]) in seen:
                continue
            seen.add((module, found[0]))
            yield found
            for function in found[1]:
                if function.node not in seen:
                    seen.add(function.node)
                    waiting.append((function.module, function.node))


def made_of(model: FunctionModel, project: Project, classes: Iterable[ClassInfo]) -> Iterator[Read]:
    """The names that constructors read, of which the attributes of objects are made."""
    for cls in classes:
        made = cls.methods.get("__init__")
        own = _own(cls.module, made.node) if made is not None else frozenset[str]()
        for node in walk(made.node) if made is not None else ():
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in own:
                read = _bound(model.module, project, cls.module, Read(node.id), ANY_TIME)
                yield read._replace(known=True, contents=())  # what lists and dicts hold is asked of the attributes


def _own(module: Module, function: ast.AST) -> frozenset[str]:
    """The names that a function binds as its own."""
    shared = declared(function) if module.rebound else set[str]()
    return frozenset(name for name, _ in own_names(function, inside=True) if name not in shared)


def _read(
    own: Module, project: Project, module: Module, node: ast.AST, values: Mapping[ast.AST, Value]
) -> Found | None:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        found = project.resolve(module, node.id)
        read = _bound(own, project, module, Read(node.id), node.lineno)
        return read, [found] if isinstance(found, FunctionInfo) else []
    if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return Read(node.attr, is_attribute=True, of_object=_is_object(node.value, values), is_store=True), []
    node = node.target if isinstance(node, ast.AugAssign) else node  # which is read and stored
    name, owner = (node.attr, node.value) if isinstance(node, ast.Attribute) else attribute_read(node)
    if not name or owner is None:
        return None
    read, functions = _attribute(own, project, module, name, owner, values)
    return _held(own, read, values.get(node, UNKNOWN)), functions


def attribute_read(node: ast.AST) -> tuple[str, ast.expr | None]:
    """The name of an attribute that is read, and the object: of `net.scale`, `getattr(net, "scale")`."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        return node.attr, node.value
    if isinstance(node, ast.Call) and dotted_name(node.func) == "getattr" and len(node.args) > 1:
        return text_of(node.args[1]) or "", node.args[0]
    return "", None


def _held(own: Module, read: Read, value: Value) -> Read:
    """The read of what may be a list or dict, whose items the file itself must not change."""
    if not _holds_items(value):
        return read
    return read._replace(of_contents=True, known=read.known and read.name not in file_index(own).changed)


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


def _attribute(
    own: Module, project: Project, module: Module, name: str, owner: ast.expr, values: Mapping[ast.AST, Value]
) -> Found:
    """`owner.name`, of an object, a module, or what is above the class."""
    dotted = dotted_name(owner)
    found = project.resolve(module, dotted) if dotted else None
    if isinstance(found, Module):
        bound = found.names.get(name)
        read = Read(name, is_attribute=True, owner=os.path.abspath(module.path))
        return _bound(own, project, found, read, ANY_TIME), [bound] if isinstance(bound, FunctionInfo) else []
    is_above = isinstance(owner, ast.Call) and dotted_name(owner.func) == "super"
    methods = [cls.methods[name] for cls in module.classes if name in cls.methods]
    of_object = not is_above and (isinstance(found, ClassInfo) or _is_object(owner, values))
    return Read(name, is_attribute=True, of_object=of_object, is_above=is_above), methods


def _bound(own: Module, project: Project, module: Module, read: Read, row: int) -> Read:
    """The read of a name of a file, with what it is imported as from one file after the other; and whether it is a list
    or dict that one of these files may change."""
    name, bindings, above = read.name, list[tuple[str, str, int]](), list[tuple[Module, str]]()
    while len(above) <= MOST_HOPS:
        bound = module.names.get(name)
        above.append((module, name))
        if bound is not None or name in BUILTINS:
            bindings.append((os.path.abspath(module.path), name, row))
        if isinstance(bound, DISPLAYS):
            known = read.known and not any(called in file_index(own).changed for file, called in above if file is own)
            others = tuple(("" if file is own else os.path.abspath(file.path), called) for file, called in above)
            return read._replace(known=known, bindings=tuple(bindings), contents=others)
        library, _, original = bound.qualified.rpartition(".") if isinstance(bound, ImportedName) else ("", "", "")
        other = project.module(library) if library else None
        if other is None:
            break
        module, name, row = other, original, ANY_TIME
    return read._replace(bindings=tuple(bindings))


def _is_object(node: ast.AST, values: Mapping[ast.AST, Value]) -> bool:
    """Whether an expression may be an object of the project: by its value, or as `self` of code that was not traced."""
    known = any(isinstance(each, (Instance, ClassValue)) for each in options(values.get(node, UNKNOWN)))
    return known or (dotted_name(node) or "").partition(".")[0] == "self"
