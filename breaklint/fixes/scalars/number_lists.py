"""Lists of numbers: 0-dim tensors can replace the numbers if the list becomes a tensor, or is summed."""

from __future__ import annotations

import ast
from typing import Protocol

from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.interp.values import Number, Tensor, constant_kind
from breaklint.project.scope import Scope, single_target

IN_A_LIST = "it is stored in a list"
LISTS = ast.List | ast.ListComp | ast.GeneratorExp
COMPREHENSIONS = ast.ListComp | ast.GeneratorExp


class Follower(Protocol):
    """What follows a number to its uses (scalar_uses.py), and hands over where it comes to a list."""

    request: FixRequest
    scope: Scope
    followed: set[ast.expr]

    def follow(self, node: ast.expr, truth: bool) -> None:
        """Follow the value of an expression."""

    def named(self, name: str, truth: bool) -> None:
        """Follow every use of a local name."""


def gathers(request: FixRequest, node: ast.expr, enclosing: ast.AST | None) -> bool:
    """Whether `around` puts the value of `node` into a list: a display, a comprehension, `values.append(…)`."""
    if isinstance(enclosing, COMPREHENSIONS):
        return enclosing.elt is node
    return isinstance(enclosing, ast.List) or _appends(request, enclosing) is not None


def follow_list(uses: Follower, enclosing: ast.AST) -> None:
    """Follow the list that takes a number; raises NotFixable unless all of it may be tensors."""
    name = _appends(uses.request, enclosing)
    if name is not None:
        _named(uses, name)
        return
    assert isinstance(enclosing, LISTS)
    outer = uses.scope.parent(enclosing)
    target = single_target(outer)
    if isinstance(target, ast.Tuple | ast.List):
        uses.followed.add(enclosing)
        for part in target.elts:
            if not isinstance(part, ast.Name):
                raise NotFixable(IN_A_LIST)
            uses.named(part.id, False)
        return
    if isinstance(target, ast.Name):
        _named(uses, target.id)
        return
    _consumed(uses, enclosing, outer)


def _appends(request: FixRequest, enclosing: ast.AST | None) -> str | None:
    """The local list of `values.append(…)`."""
    result = request.matched(enclosing, "{values}.append({item})")
    values = result["values"] if result is not None else None
    return values.id if isinstance(values, ast.Name) else None


def _named(uses: Follower, name: str) -> None:
    """Every use of a list by name."""
    scope = uses.scope
    for store in scope.stores(name):
        enclosing = scope.parent(store)
        if not isinstance(enclosing, ast.Assign) or not isinstance(enclosing.value, ast.List | ast.ListComp):
            raise NotFixable(f"`{name}` is also bound to other values")
        for item in enclosing.value.elts if isinstance(enclosing.value, ast.List) else [enclosing.value.elt]:
            _check_item(uses, item)
    for load in uses.request.own_loads(name):
        method = scope.parent(load)
        call = scope.parent(method) if isinstance(method, ast.Attribute) else None
        if call is not None and _appends(uses.request, call) == name and isinstance(scope.parent(call), ast.Expr):
            assert isinstance(call, ast.Call)
            _check_item(uses, call.args[0])
        else:
            _consumed(uses, load, method)


def _consumed(uses: Follower, gathered: ast.expr, enclosing: ast.AST | None) -> None:
    """`torch.tensor(values)`, which detaches tensors as it does numbers, `sum(values)` and `len(values)`."""
    request = uses.request
    if isinstance(enclosing, ast.Call) and enclosing.args[:1] == [gathered]:
        result = request.qualified(enclosing.func) == "torch.tensor" and not isinstance(gathered, ast.GeneratorExp)
        if result or request.matched(enclosing, "len({values})") is not None:
            return
    if not isinstance(enclosing, ast.Call) or request.matched(enclosing, "sum({values})") is None:
        raise NotFixable(IN_A_LIST)
    uses.follow(enclosing, False)


def _check_item(uses: Follower, item: ast.expr) -> None:
    value = uses.request.value(item)
    plain = constant_kind(value) in ("int", "float")
    if not (plain or isinstance(value, Number) or (isinstance(value, Tensor) and value.ndim == 0)):
        raise NotFixable("breaklint cannot infer that the other items of the list are numbers")
