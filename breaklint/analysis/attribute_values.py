"""Attributes of a module that stay what its constructor made of them, as far as its file and its bases tell."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from breaklint.analysis.attributes import stores
from breaklint.analysis.construction import is_always_made
from breaklint.analysis.model import FunctionModel
from breaklint.analysis.purity import is_pure_function
from breaklint.analysis.resizing import DATA, OUT, REGISTERING, REPLACING, RESIZING
from breaklint.interp.values import Tensor
from breaklint.project.module import ClassInfo, Module
from breaklint.project.syntax import assigned, method_name, name_of_variable, own_attribute
from breaklint.project.walking import children, dotted_name, variables_in, walk

HOOKS = frozenset({"__getattr__", "__getattribute__", "__setattr__", "__delattr__"})
# What makes no object of a class of its own, if all its parts are such.
PLAIN = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.Compare, ast.Tuple, ast.List, ast.Dict)
# Where a tensor is only computed with: its operators, tests, and what is changed by what it gives.
COMPUTING = (
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.Subscript,
    ast.AugAssign,
    ast.FormattedValue,
    ast.If,
    ast.While,
    ast.Assert,
    ast.Expr,
)
# What reaches the tensors of a module by no name, and may give it others.
STATE = re.compile(
    r"\b(?:(?:named_)?buffers|_buffers|_parameters|get_buffer|_apply|functional_call|swap_tensors|__setstate__)\b|\bkeep_vars\b|\bassign\s*="
)


def is_setting(model: FunctionModel, name: str) -> bool:
    """Whether an attribute of the module is set by constructors alone: by name, and not computed when it is read."""
    return _is_plain(model, name) and all(made for node, made in _places(model, name) if stores(node, name))


def made_of(model: FunctionModel, name: str) -> ast.expr | None:
    """The one expression that an attribute is made of: assigned by a constructor on every way, or registered there as a
    buffer. None where there are several, or where another may take its place later."""
    reached = any(STATE.search(module.text) for module in _modules(model)) if model.cls is not None else True
    made = [*_makings(model, name)] if not reached and _is_plain(model, name) else []
    return made[0] if len(made) == 1 and made[0] is not None and is_always_made(model, made[0]) else None


def keeps_size(model: FunctionModel, name: str) -> bool:
    """Whether no code gives the tensor of an attribute another size, or hands it to what may."""
    return not any(_may_resize(model, node) for node, _ in _places(model, name))


def is_stored_in_others(model: FunctionModel, name: str) -> bool:
    """Whether code sets an attribute of this name of another object than the module itself."""
    return any(stores(node, name) and own_attribute(node) == "" for node, _ in _places(model, name))


def _is_computed(model: FunctionModel, name: str) -> bool:
    """Whether reading an attribute of the module may run code: a property, or a hook for attributes."""
    for node, _, own in _nodes(model):
        if own and isinstance(node, ast.FunctionDef) and node.name in HOOKS:
            return True
        if own and isinstance(node, ast.ClassDef) and any(_may_compute(each, name) for each in node.body):
            return True
    return False


def _may_compute(statement: ast.stmt, name: str) -> bool:
    """Whether a statement of a class gives a name what may compute an attribute: all but a plain method and a constant,
    as `name = property(...)`."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return statement.name == name and bool(statement.decorator_list)
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        named = any(name in variables_in(target) for target in assigned(statement))
        parts = walk(statement.value) if named and statement.value is not None else ()
        return any(isinstance(part, ast.expr) and not isinstance(part, PLAIN) for part in parts)
    return any(
        getattr(part, "id", None) == name and not isinstance(getattr(part, "ctx", None), ast.Load)
        for part in walk(statement)
    )


def _is_plain(model: FunctionModel, name: str) -> bool:
    """Whether an attribute is set by its name, where it is set: not through `setattr`, `__dict__` or a hook."""
    if model.cls is None or _is_computed(model, name):
        return False
    for node, _, own in _nodes(model):
        if isinstance(node, ast.Attribute) and node.attr == "__dict__" and (own or own_attribute(node) == ""):
            return False
        if isinstance(node, ast.Call) and dotted_name(node.func) in ("setattr", "delattr", "vars") and node.args:
            told = node.args[1] if len(node.args) > 1 else None
            named = not isinstance(told, ast.Constant) or told.value == name
            if named and (own or name_of_variable(node.args[0]) != "self"):
                return False
    return True


def _modules(model: FunctionModel) -> list[Module]:
    """The file, and those that its class has bases in."""
    assert model.cls is not None
    bases = (each for each in model.project.mro(model.cls) if isinstance(each, ClassInfo))
    return list(dict.fromkeys([model.module, *(each.module for each in bases)]))


def _nodes(model: FunctionModel) -> Iterator[tuple[ast.AST, bool, bool]]:
    """All nodes of the file, and of those that the class has bases in; with each whether it stands in a constructor,
    and whether `self` may be the module there: not in classes of other kinds."""
    waiting: list[tuple[ast.AST, bool, bool]] = [(module.tree, False, True) for module in _modules(model)]
    while waiting:
        node, constructs, own = waiting.pop()
        if isinstance(node, ast.ClassDef):
            own = _is_related(model, node)
        if isinstance(node, ast.FunctionDef):
            constructs = node.name == "__init__"
        yield node, constructs, own
        waiting += [(child, constructs, own) for child in children(node)]


def _places(model: FunctionModel, name: str) -> Iterator[tuple[ast.Attribute, bool]]:
    """Where code names an attribute that may be the module's, and whether in a constructor."""
    for node, constructs, own in _nodes(model):
        if isinstance(node, ast.Attribute) and node.attr == name and (own or own_attribute(node) == ""):
            yield node, constructs


def _is_related(model: FunctionModel, node: ast.ClassDef) -> bool:
    """Whether a class derives from the one around the finding, or that one from it."""
    project, cls = model.project, model.cls
    found = next((each for each in model.module.classes if each.body is not None and each.node is node), None)
    if found is None or cls is None or cls in project.mro(found) or found in project.mro(cls):
        return True
    return any(_has_unsure_base(model, each) for each in (*project.mro(found), *project.mro(cls)))


def _has_unsure_base(model: FunctionModel, cls: ClassInfo | str) -> bool:
    """Whether what a class of the file derives from may be another class than its name tells at the end of the file."""
    if isinstance(cls, str) or cls.module is not model.module:
        return False
    named = [dotted_name(base.value if isinstance(base, ast.Subscript) else base) for base in cls.node.bases]
    row = cls.node.lineno
    return any(name is None or len(model.bindings.lasting(name.partition(".")[0], row)) > 1 for name in named)


def _may_resize(model: FunctionModel, node: ast.Attribute) -> bool:
    """Whether a place that names a tensor may give it another size, or hands it on: all but what computes from it."""
    if not isinstance(node.ctx, ast.Load):
        return False
    around = _parent(model, node)
    if isinstance(around, ast.Attribute):
        changes = around.attr in RESIZING | REPLACING
        return changes or (around.attr == DATA and not isinstance(around.ctx, ast.Load))
    if isinstance(around, ast.IfExp):
        return around.test is not node
    if isinstance(around, (ast.Call, ast.keyword)):
        call = around if isinstance(around, ast.Call) else _parent(model, around)
        is_out = isinstance(around, ast.keyword) and around.arg == OUT
        return is_out or not isinstance(call, ast.Call) or not _computes(model, call)
    same = isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.UAdd)  # `+t` is t
    return same or not isinstance(around, COMPUTING)


def _computes(model: FunctionModel, call: ast.Call) -> bool:
    """Whether a call computes from its arguments, and keeps none: of a function, or of a method of a tensor."""
    method = isinstance(call.func, ast.Attribute) and isinstance(model.value(call.func.value), Tensor)
    name = model.qualified(call.func)
    return method or name == "builtins.print" or is_pure_function(name, model.facts)


def _parent(model: FunctionModel, node: ast.AST) -> ast.AST | None:
    """What stands around a node of one of the files."""
    scopes = (module.scope(module.tree) for module in _modules(model))
    return next((scope.parent(node) for scope in scopes if node in scope), None)


def _makings(model: FunctionModel, name: str) -> Iterator[ast.expr | None]:
    """What is stored under the name, and registered as a buffer of that name; None for anything else, as for a text of
    that name elsewhere."""
    for node, constructs in _places(model, name):
        if stores(node, name):
            around = model.whole.parent(node) if node in model.module.scope(model.module.tree) else None
            yield around.value if constructs and isinstance(around, ast.Assign) else None
    texts = 0
    for part, _, own in _nodes(model):
        texts += isinstance(part, ast.Constant) and part.value == name
        if isinstance(part, ast.Call) and method_name(part) in REGISTERING:
            told = part.args[0] if len(part.args) > 1 else None
            if own and (not isinstance(told, ast.Constant) or told.value == name):
                texts -= isinstance(told, ast.Constant)
                yield part.args[1] if isinstance(told, ast.Constant) else None
    if texts:
        yield None
