"""Whether the functions, methods and attributes that code reads are those that the interpreter takes them for."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from breaklint.fixes.base import FixRequest
from breaklint.fixes.proofs.stores import Stores
from breaklint.interp.lattice import UNKNOWN, Value, options
from breaklint.interp.objects import Instance
from breaklint.interp.transfer.decorators import is_understood
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.walking import dotted_name, walk

HOOKS = frozenset({"__getattribute__", "__setattr__", "__delattr__", "__class__"})  # what decides for every attribute


def doubtful_read(request: FixRequest) -> str:
    """A function, method or attribute that the finding's function reads by its name and that may be another one: the
    file stores it in ways that are not followed, a subclass in the file has another, or its decorators are not
    understood. "" where there is none."""
    found = request.module.derive(_Found, _Found)
    key = request.scope.root, request.cls
    if key not in found:
        found[key] = _doubtful(request)
    return found[key]


class _Found(dict[tuple[ast.AST, ClassInfo | None], str]):
    """What was found for the functions of a file, which may have many findings."""


def _doubtful(request: FixRequest) -> str:
    interp, doubts = request.event.frame.interp, _Doubts(request)
    reached = _Reached(request.module, request.scope.root, interp.values)
    for name, functions in reached.names.items():
        known = all(is_understood(interp, function) for function in functions)
        if not known or doubts.of_method(name) or (name in reached.attributes and doubts.of_attribute(name)):
            return name
    return ""


class _Doubts:
    """What is stored, overridden or hidden in the file, as the class of a finding sees it."""

    def __init__(self, request: FixRequest) -> None:
        module, project, own = request.module, request.event.frame.interp.project, request.cls
        self._stores = module.derive(Stores, lambda: Stores(module))
        above = [each for each in (project.mro(own) if own else ()) if isinstance(each, ClassInfo)]
        below = [each for each in module.classes if own and each is not own and own in project.mro(each)]
        below += [each for each in module.classes if own and each is not own and each.name == own.name]
        self._overridden = {
            name for cls in below for name in (*cls.methods, *cls.attributes, *self._stores.own[cls.name])
        }
        self._methods = {name for cls in module.classes for name in cls.methods}
        self._twice = {name for cls in module.classes for name in cls.methods if name in cls.attributes}
        family = {cls.name for cls in (*above, *below) if cls.module is module}
        stored = {name for cls in family for name in self._stores.own[cls]}
        values = [item for cls in above for item in cls.attributes.items()]
        # What such a value is read as may be for a descriptor in the class to say: `limit = property(...)`.
        self._overridden |= {name for name, value in values if name in stored and isinstance(value, ast.Call)}
        self._beginnings = {text for name in family for text in self._stores.beginnings[name]}
        self._hooked = bool(HOOKS & self._stores.names) or any(
            not HOOKS.isdisjoint(cls.methods) for cls in (*above, *below)
        )

    def of_method(self, name: str) -> bool:
        """Whether a name may be that of a method of the file which something else has replaced."""
        return name in self._methods and (name in self._stores.names or name in self._twice or self._hooked)

    def of_attribute(self, name: str) -> bool:
        """Whether an attribute of the finding's object may hold something else."""
        stored = name in self._stores.names or name in self._overridden
        return stored or self._hooked or any(name.startswith(text) for text in self._beginnings)


class _Reached:
    """The names that a function reads, and those that the functions of the file behind these read in turn, each with
    the functions of the file that it may stand for; `attributes` are those that are read of objects of the project."""

    def __init__(self, module: Module, root: ast.AST, values: Mapping[ast.AST, Value]) -> None:
        self.names: dict[str, list[FunctionInfo]] = {}
        self.attributes: set[str] = set()
        waiting = [root]
        while waiting:
            for node in walk(waiting.pop()):
                name, owner = _read(node)
                if name and owner is not None and _is_object(owner, values):
                    self.attributes.add(name)
                if name and name not in self.names:
                    self.names[name] = _functions(module, name, owner is not None)
                    waiting += [function.node for function in self.names[name]]


def _is_object(node: ast.AST, values: Mapping[ast.AST, Value]) -> bool:
    """Whether an expression may be an object of the project: by its value, or as `self` of code that was not traced."""
    known = any(isinstance(each, Instance) for each in options(values.get(node, UNKNOWN)))
    return known or (dotted_name(node) or "").partition(".")[0] == "self"


def _read(node: ast.AST) -> tuple[str, ast.AST | None]:
    """The name that a node reads, or the attribute and of what; not of `super()`: a class knows what is above it."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return node.id, None
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        is_above = isinstance(node.value, ast.Call) and dotted_name(node.value.func) == "super"
        return ("", None) if is_above else (node.attr, node.value)
    if isinstance(node, ast.Call) and dotted_name(node.func) == "getattr" and len(node.args) > 1:
        name = node.args[1].value if isinstance(node.args[1], ast.Constant) else ""
        return (name, node.args[0]) if isinstance(name, str) else ("", None)
    return "", None


def _functions(module: Module, name: str, is_attribute: bool) -> list[FunctionInfo]:
    if is_attribute:
        return [cls.methods[name] for cls in module.classes if name in cls.methods]
    bound = module.names.get(name)
    return [bound] if isinstance(bound, FunctionInfo) else []
