"""Attributes whose kind changes: their inferred kind holds only for the traced code."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.analysis.model import FunctionModel
from breaklint.interp.lattice import UNKNOWN
from breaklint.interp.values import Tensor
from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.object_effects import effects
from breaklint.project.syntax import assigned, own_attribute
from breaklint.project.walking import walk

CONSTRUCTORS = frozenset({"__init__", "__post_init__"})
# Expressions that give no tensor, whatever their parts are.
NO_TENSOR = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.JoinedStr)


def attribute_of_two_kinds(model: FunctionModel) -> str:
    """An attribute of `self` that the queried nodes take for a tensor, and in which a method stores something else.

    The methods are those of the class, of its bases and of its subclasses in the file, without the constructors. "" if
    the class does not have the attribute.
    """
    if model.cls is None:
        return ""
    project = model.project
    below = [cls for cls in model.module.classes if model.cls in project.mro(cls)]
    family = {base for cls in (model.cls, *below) for base in project.mro(cls) if isinstance(base, ClassInfo)}
    methods = [item for cls in family for name, item in cls.methods.items() if name not in CONSTRUCTORS]
    if not any(effects(method).stores for method in methods):
        return ""
    reads = {
        name for node in _behind(model) if (name := own_attribute(node)) and isinstance(_value(model, node), Tensor)
    }
    return min((name for name in reads if any(_stores_another(model, method, name) for method in methods)), default="")


def _behind(model: FunctionModel) -> set[ast.AST]:
    """The queried nodes, their parts, and the assigned values of the names among these."""
    seen: set[ast.AST] = set()
    waiting = [*model.queried_nodes]
    while waiting:
        for part in walk(waiting.pop()):
            if part in seen or part not in model.scope:
                continue
            seen.add(part)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                statements = (model.scope.statement(store) for store in model.definition(part.id, part).stores)
                values = (getattr(one, "value", getattr(one, "iter", None)) for one in statements)
                waiting += [value for value in values if isinstance(value, ast.expr)]
    return seen


def _value(model: FunctionModel, node: ast.AST) -> object:
    return model.inference.values.get(node, UNKNOWN)


def _stores_another(model: FunctionModel, method: FunctionInfo, name: str) -> bool:
    """Whether a method stores something else than a tensor in an attribute."""
    if name not in effects(method).stores:
        return False
    for value in _stored_values(method, name):
        inferred = _value(model, value)
        if not isinstance(inferred, Tensor) if inferred is not UNKNOWN else isinstance(value, NO_TENSOR):
            return True
    return False


def _stored_values(method: FunctionInfo, name: str) -> Iterator[ast.expr]:
    """The values that the assignments of a method store in an attribute of `self`."""
    for node in walk(method.node):
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if value is not None and any(own_attribute(target) == name for target in assigned(node)):
            yield value
