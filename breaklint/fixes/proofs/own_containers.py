"""Lists and dicts that a function makes itself: no other code has them until the function passes or returns them."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest
from breaklint.interp.containers import Sequence
from breaklint.project.scope import Store
from breaklint.project.walking import walk

DISPLAYS = (ast.List, ast.Dict, ast.ListComp, ast.DictComp)
MAKERS = frozenset({"builtins.list", "builtins.dict"})
GROWING = frozenset({"append", "extend"})


def is_own(request: FixRequest, name: str) -> bool:
    """Whether every value of a local name is a list or dict that the function makes: `{}`, `a, b = list(), []`."""
    stores = request.scope.stores(name)
    parameters = {each.arg for each in walk(request.scope.root) if isinstance(each, ast.arg)}
    if not stores or name in parameters or request.scope.shares(name):
        return False
    return all(_is_made(request, store) for store in stores)


def _is_made(request: FixRequest, store: Store) -> bool:
    around = request.scope.parent(store)
    if isinstance(around, ast.Tuple) and isinstance(store, ast.Name):
        assign = request.scope.parent(around)
        made = assign.value if isinstance(assign, ast.Assign) else None
        same = isinstance(made, ast.Tuple) and len(made.elts) == len(around.elts)
        return same and isinstance(made, ast.Tuple) and _makes(request, made.elts[around.elts.index(store)])
    value = around.value if isinstance(around, (ast.Assign, ast.AnnAssign)) else None
    return value is not None and _makes(request, value)


def _makes(request: FixRequest, value: ast.expr) -> bool:
    return isinstance(value, DISPLAYS) or (isinstance(value, ast.Call) and request.qualified(value.func) in MAKERS)


def adds_to(request: FixRequest, call: ast.Call) -> ast.expr | None:
    """The list of `values.append(…)`, None of any other call."""
    method = call.func if isinstance(call.func, ast.Attribute) else None
    return method.value if method is not None and grows(request, method) else None


def grows(request: FixRequest, method: ast.Attribute) -> bool:
    """Whether an attribute is a method of a list that adds to it, called for that alone."""
    call = request.scope.parent(method)
    alone = isinstance(call, ast.Call) and call.func is method and isinstance(request.scope.parent(call), ast.Expr)
    value = request.value(method.value)
    return alone and method.attr in GROWING and isinstance(value, Sequence) and value.kind == "list"
