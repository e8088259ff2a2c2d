"""Where a file passes a library, or a file as a module: what receives it may replace any of its names."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import NamedTuple

from breaklint.analysis.file_nodes import FileNodes
from breaklint.analysis.imports import LIBRARIES, FileImports
from breaklint.analysis.namespaces import LOADING, is_shadowed
from breaklint.analysis.reading import COMPUTING
from breaklint.analysis.stores import SETTERS, SETTING
from breaklint.project.walking import children, dotted_name

# The modules and classes of libraries whose functions and methods fixes rest on; no schema names them.
MODULES = frozenset({*LIBRARIES, "torch.nn", "torch.nn.functional", "torch.compiler"})
CLASSES = frozenset({"torch.Tensor", "torch.nn.Module"})
HANDED = MODULES | CLASSES
TOLD = COMPUTING | SETTING | {"cast"}  # they hand nothing on, or store what their arguments tell
ASKING = LIBRARIES | {"typing"}  # they take classes to look at them
KEEPING = (ast.Assign, ast.NamedExpr, ast.Return, ast.Yield, ast.IfExp, ast.Dict, ast.Lambda, ast.arguments)
HOLDING = (*KEEPING, ast.For, ast.List, ast.Tuple, ast.Set)
OWN, KEPT = "", "="  # anything of the file itself; its names


class HandedOn(NamedTuple):
    """What a file passes as an object.

    `to` are the qualified names of what it calls with a library: OWN for what is not known, and KEPT where it keeps one
    under another name. `classes` are those of what it calls with a class of one. `files` are the last names of what may
    be a file, also where all of its names are asked for.
    """

    to: frozenset[str]
    classes: frozenset[str]
    files: frozenset[str]


def handed_on(imports: FileImports, nodes: FileNodes) -> HandedOn:
    """What a file passes as an object."""
    within = {name for name, qualified in imports.names.items() if _is_within(qualified)}
    inside = {name for name, qualified in imports.names.items() if not is_outside(qualified)}
    given = dict.fromkeys(filter(None, (_receiver(name, nodes) for name in nodes.of(ast.Name) if name.id in within)))
    passed = [each for node in given for each in _passed(node, imports, nodes)]
    to = {receiver for receiver, names in passed if not MODULES.isdisjoint(names)}
    classes = {receiver for receiver, names in passed if not CLASSES.isdisjoint(names)}
    files = {file for name in nodes.of(ast.Name) if name.id in inside for file in _file(name, imports, nodes)}
    looked_up = (*nodes.of(ast.Call), *nodes.of(ast.Subscript))
    files.update(file for node in looked_up for file in _looked_up(node, nodes.around[node]))
    return HandedOn(frozenset(to), frozenset(classes), frozenset(files))


def is_outside(qualified: str) -> bool:
    """Whether a name is one of a library, and stands for no file of a project."""
    head = qualified.partition(".")[0]
    return head in LIBRARIES or head in sys.stdlib_module_names


def _receiver(name: ast.Name, nodes: FileNodes) -> ast.AST | None:
    """What has a name, with the attributes that are looked up in it, as one of its parts: the call for a keyword; None
    where it is only called, as most are."""
    node: ast.AST = name
    outer = nodes.around[name]
    while outer.__class__ is ast.Attribute or outer.__class__ is ast.keyword:
        node, outer = outer, nodes.around[outer]
    return None if isinstance(outer, ast.Call) and outer.func is node else outer


def _is_within(qualified: str) -> bool:
    """Whether a name stands for one of the modules and classes, or for what holds one."""
    return any(f"{name}.".startswith(f"{qualified}.") for name in HANDED)


def _passed(node: ast.AST, imports: FileImports, nodes: FileNodes) -> Iterator[tuple[str, set[str]]]:
    """To what a node passes objects, and the qualified names of these; classes that it holds are not passed."""
    if isinstance(node, ast.Call):
        called = dotted_name(node.func) or ""
        callee = imports.qualified(called)
        if called in TOLD or callee.partition(".")[0] in ASKING:
            return
        given = (*node.args, *(keyword.value for keyword in node.keywords))
        stores = getattr(node.func, "attr", "") in SETTERS or any(dotted_name(each) in SETTING for each in given)
        yield OWN if stores else callee, {_names(each, imports, nodes) for each in given}
    elif isinstance(node, HOLDING):
        held = {_names(each, imports, nodes) for each in children(node)} - CLASSES
        yield KEPT if isinstance(node, KEEPING) else OWN, held


def _names(node: ast.AST, imports: FileImports, nodes: FileNodes) -> str:
    """The qualified name that an expression is as a whole."""
    dotted = dotted_name(node) if isinstance(node, ast.Name | ast.Attribute) else None
    full = imports.qualified(dotted) if dotted else ""
    return "" if full in HANDED and _is_shadowed(node, imports, nodes) else full


def _is_shadowed(node: ast.AST, imports: FileImports, nodes: FileNodes) -> bool:
    """Whether an expression is a name that a function around it binds as its own."""
    return isinstance(node, ast.Name) and node.id in nodes.rebound and is_shadowed(imports.module, node)


def _file(name: ast.Name, imports: FileImports, nodes: FileNodes) -> Iterator[str]:
    """The last name of what a name stands for, with the attributes that are looked up in it, where that may be a file
    and is passed as an object or asked for all of its names."""
    node: ast.Name | ast.Attribute = name
    full, outer = imports.names[name.id], nodes.around[name]
    while isinstance(outer, ast.Attribute) and outer.attr != "__dict__":
        full, node, outer = f"{full}.{outer.attr}", outer, nodes.around[outer]
    outer = nodes.around[outer] if isinstance(outer, ast.keyword) else outer
    if isinstance(outer, ast.Call):
        called = dotted_name(outer.func) or ""
        told = called in TOLD - {"dir", "vars"} or called.partition(".")[0] in ASKING
        passed = node is not outer.func and not told
    else:
        passed = isinstance(outer, (*HOLDING, ast.Attribute))
    if passed and isinstance(node.ctx, ast.Load) and not _is_shadowed(name, imports, nodes):
        yield full.rpartition(".")[2]


def _looked_up(node: ast.expr, outer: ast.AST) -> Iterator[str]:
    """The last name of a file that is looked up by its name, unless one of its names alone is asked for."""
    if isinstance(outer, ast.Expr) or (isinstance(outer, ast.Attribute) and outer.attr != "__dict__"):
        return
    if isinstance(node, ast.Call) and (dotted_name(node.func) or "").rpartition(".")[2] in LOADING:
        yield from _last_told(*node.args[:1])
    elif isinstance(node, ast.Subscript) and dotted_name(node.value) == "sys.modules":
        yield from _last_told(node.slice)


def _last_told(*nodes: ast.AST) -> Iterator[str]:
    """The last name of the module whose name an expression is, where it is a text."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value.rpartition(".")[2]
