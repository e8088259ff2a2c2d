"""Where a file passes a library as an object: what receives it may replace any of its names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.analysis.file_nodes import FileNodes
from breaklint.analysis.imports import LIBRARIES, FileImports
from breaklint.analysis.namespaces import is_shadowed
from breaklint.analysis.reading import COMPUTING
from breaklint.analysis.stores import SETTING
from breaklint.project.walking import children, dotted_name

# The modules and classes of libraries whose functions and methods fixes rest on; no schema names them.
MODULES = frozenset({*LIBRARIES, "torch.nn", "torch.nn.functional", "torch.compiler"})
CLASSES = frozenset({"torch.Tensor", "torch.nn.Module"})
HANDED = MODULES | CLASSES
TOLD = COMPUTING | SETTING | {"cast"}  # they hand nothing on, or store what their arguments tell
ASKING = LIBRARIES | {"typing"}  # they take classes to look at them
KEEPING = (ast.Assign, ast.NamedExpr, ast.Return, ast.Yield, ast.IfExp, ast.Dict, ast.arguments)
HOLDING = (*KEEPING, ast.For, ast.List, ast.Tuple, ast.Set)
OWN, KEPT = "", "="  # anything of the file itself; its names


def handed_on(imports: FileImports, nodes: FileNodes) -> set[str]:
    """The qualified names of what a file calls with a library or a class of one; OWN for what is not known, and KEPT
    where it keeps one under another name."""
    heads = {name for name, qualified in imports.names.items() if _is_within(qualified)}
    given = dict.fromkeys(_receiver(name, nodes) for name in nodes.of(ast.Name) if name.id in heads)
    return {to for node in given for to in _handed(node, imports)}


def _receiver(name: ast.Name, nodes: FileNodes) -> ast.AST:
    """What has a name, with the attributes that are looked up in it, as one of its parts: the call for a keyword."""
    outer = nodes.around[name]
    while outer.__class__ is ast.Attribute or outer.__class__ is ast.keyword:
        outer = nodes.around[outer]
    return outer


def _is_within(qualified: str) -> bool:
    """Whether a name stands for one of the modules and classes, or for what holds one."""
    return any(f"{name}.".startswith(f"{qualified}.") for name in HANDED)


def _handed(node: ast.AST, imports: FileImports) -> Iterator[str]:
    """Where a node passes a library."""
    if isinstance(node, ast.Call):
        called = dotted_name(node.func) or ""
        callee = imports.qualified(called)
        given = (*node.args, *(keyword.value for keyword in node.keywords))
        told = called in TOLD or callee.partition(".")[0] in ASKING
        if not told and not HANDED.isdisjoint(_names(each, imports) for each in given):
            yield OWN if any(dotted_name(each) in SETTING for each in given) else callee
    elif isinstance(node, HOLDING) and not MODULES.isdisjoint(_names(each, imports) for each in children(node)):
        yield KEPT if isinstance(node, KEEPING) else OWN


def _names(node: ast.AST, imports: FileImports) -> str:
    """The qualified name that an expression is as a whole."""
    dotted = dotted_name(node) if isinstance(node, ast.Name | ast.Attribute) else None
    full = imports.qualified(dotted) if dotted else ""
    return "" if full in HANDED and is_shadowed(imports.module, node) else full
