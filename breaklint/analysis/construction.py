"""Whether a constructor surely gives its object an attribute, whatever ways it and those of subclasses take."""

from __future__ import annotations

import ast

from breaklint.analysis.model import FunctionModel
from breaklint.project.syntax import arguments, called_on, method_name
from breaklint.project.walking import walk


def is_always_made(model: FunctionModel, value: ast.expr) -> bool:
    """Whether an expression that becomes an attribute is evaluated by every constructor, and kept.

    Its statement stands in no branch, nothing returns before it, no other constructor starts over behind it, and every
    class that derives from its class calls the constructor above.
    """
    if value not in model.module.scope(model.module.tree):
        return False
    around = [*model.whole.parents(value)]
    place = next((each for each, up in enumerate(around) if isinstance(up, ast.FunctionDef)), None)
    if place is None or place == 0 or not isinstance(around[place + 1], ast.ClassDef):
        return False
    statement, init, cls = around[place - 1], around[place], around[place + 1]
    assert isinstance(init, ast.FunctionDef)
    if init.name != "__init__" or init.decorator_list or statement not in init.body or not _takes(statement, value):
        return False
    index = init.body.index(statement)
    left = any(isinstance(part, ast.Return) for each in init.body[:index] for part in walk(each))
    restarted = any(method_name(part) == "__init__" for each in init.body[index + 1 :] for part in walk(each))
    return not left and not restarted and _is_run_by_subclasses(model, cls)


def _takes(statement: ast.AST, value: ast.expr) -> bool:
    """Whether a statement assigns a value, or gives it to the call that it is, unasked."""
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return statement.value is value
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and value in arguments(call)


def _is_run_by_subclasses(model: FunctionModel, node: ast.AST) -> bool:
    project = model.project
    own = next((each for each in model.module.classes if each.body is not None and each.node is node), None)
    if own is None:
        return False
    below = (each for each in model.module.classes if each is not own and own in project.mro(each))
    inits = (part for each in below for part in each.node.body if isinstance(part, ast.FunctionDef))
    return all(_calls_above(init) for init in inits if init.name == "__init__")


def _calls_above(init: ast.FunctionDef) -> bool:
    """Whether a constructor calls `super().__init__` on every way."""
    for statement in init.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        above = called_on(call)
        if method_name(call) == "__init__" and isinstance(above, ast.Call) and isinstance(above.func, ast.Name):
            return above.func.id == "super"
        if any(isinstance(part, ast.Return) for part in walk(statement)):
            return False
    return False
