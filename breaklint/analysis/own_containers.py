"""Lists and dicts that a function makes itself: no other code has them until the function passes or returns them."""

from __future__ import annotations

import ast

from breaklint.analysis.model import FunctionModel
from breaklint.interp.containers import Sequence
from breaklint.project.scope import Store
from breaklint.project.walking import walk

DISPLAYS = (ast.List, ast.Dict, ast.ListComp, ast.DictComp)
MAKERS = frozenset({"builtins.list", "builtins.dict"})
GROWING = frozenset({"append", "extend"})


def is_own(model: FunctionModel, name: str) -> bool:
    """Whether every value of a local name is a list or dict that the function makes: `{}`, `a, b = list(), []`."""
    stores = model.scope.stores(name)
    parameters = {each.arg for each in walk(model.scope.root) if isinstance(each, ast.arg)}
    if not stores or name in parameters or model.scope.shares(name):
        return False
    return all(_is_made(model, store) for store in stores)


def _is_made(model: FunctionModel, store: Store) -> bool:
    around = model.scope.parent(store)
    if isinstance(around, ast.Tuple) and isinstance(store, ast.Name):
        assign = model.scope.parent(around)
        made = assign.value if isinstance(assign, ast.Assign) else None
        same = isinstance(made, ast.Tuple) and len(made.elts) == len(around.elts)
        return same and isinstance(made, ast.Tuple) and _makes(model, made.elts[around.elts.index(store)])
    value = around.value if isinstance(around, (ast.Assign, ast.AnnAssign)) else None
    return value is not None and _makes(model, value)


def _makes(model: FunctionModel, value: ast.expr) -> bool:
    return isinstance(value, DISPLAYS) or (isinstance(value, ast.Call) and model.qualified(value.func) in MAKERS)


def adds_to(model: FunctionModel, call: ast.Call) -> ast.expr | None:
    """The list of `values.append(…)`, None of any other call."""
    method = call.func if isinstance(call.func, ast.Attribute) else None
    return method.value if method is not None and grows(model, method) else None


def grows(model: FunctionModel, method: ast.Attribute) -> bool:
    """Whether an attribute is a method of a list that adds to it, called for that alone."""
    call = model.scope.parent(method)
    alone = isinstance(call, ast.Call) and call.func is method and isinstance(model.scope.parent(call), ast.Expr)
    value = model.value(method.value)
    return alone and method.attr in GROWING and isinstance(value, Sequence) and value.kind == "list"
