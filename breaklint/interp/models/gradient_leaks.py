"""Calls of `requires_grad_()` on tensors of the graph, and whether such a tensor leaves the function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.frame import Frame
from breaklint.interp.values import KNOWN, Tensor
from breaklint.project.module import FunctionInfo
from breaklint.project.syntax import called_on, method_name, name_of_variable
from breaklint.project.walking import variables_in

# No schema: the calls that read gradients, which break the graph with the tensor alive.
READING: Final = frozenset({"grad", "backward"})


def stays_inside(frame: Frame, node: ast.expr, owner: Tensor) -> bool:
    """Whether no value that depends on `y.requires_grad_()` leaves the function.

    Since torch 2.13 Dynamo traces the call on a tensor of the graph, and breaks only if an output depends on it and
    needs a gradient itself. A detached output does not; `x + y.detach()` does if `x` does.
    """
    info = frame.function
    if info is None or owner.role not in ("", *KNOWN):
        return False
    if not frame.interp.facts.traces("requires-grad-inside"):
        return False
    name = _name(info, node)
    if name is None:
        return False
    dependent = _dependent(info, name)
    calls = (call.func for call in info.nodes.of(ast.Call))
    if any(isinstance(called, ast.Attribute) and called.attr in READING for called in calls):
        return False
    return not any(_mentions(value, dependent) and method_name(value) != "detach" for value in _leaving(info))


def _name(info: FunctionInfo, node: ast.expr) -> str | None:
    """The name of the tensor: `y = x.detach().requires_grad_()` or `y.requires_grad_()`."""
    for assignment in info.nodes.of(ast.Assign):
        if assignment.value is node and isinstance(assignment.targets[0], ast.Name):
            return assignment.targets[0].id
    stands_alone = any(statement.value is node for statement in info.nodes.of(ast.Expr))
    return (name_of_variable(called_on(node)) or None) if stands_alone else None


def _dependent(info: FunctionInfo, name: str) -> set[str]:
    """The names whose values are computed from a name, or contain it."""
    found = {name}
    bindings = [*_bindings(info)]
    while new := {target for targets, value in bindings if _mentions(value, found) for target in targets} - found:
        found |= new
    return found


def _bindings(info: FunctionInfo) -> Iterator[tuple[set[str], ast.expr]]:
    """The names that statements bind or fill, each with the expression; an alias of a value is bound as well."""
    for targets, value in _stores(info):
        names = {name for target in targets for name in variables_in(target)}
        yield names, value
        if isinstance(value, (ast.Name, ast.Subscript, ast.Tuple, ast.List)):
            yield from ((variables_in(value), target) for target in targets)
    loops: list[ast.For | ast.comprehension] = [*info.nodes.of(ast.For), *info.nodes.of(ast.comprehension)]
    for loop in loops:
        yield variables_in(loop.target), loop.iter
        yield variables_in(loop.iter), loop.target
    for call in info.nodes.of(ast.Call):  # `rows.append(y)`
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
            for argument in call.args:
                yield {call.func.value.id}, argument


def _stores(info: FunctionInfo) -> Iterator[tuple[list[ast.expr], ast.expr]]:
    """The assignments of the statements of a function."""
    for assignment in info.nodes.of(ast.Assign):
        yield assignment.targets, assignment.value
    others: list[ast.AugAssign | ast.NamedExpr | ast.AnnAssign] = [
        *info.nodes.of(ast.AugAssign),
        *info.nodes.of(ast.NamedExpr),
        *info.nodes.of(ast.AnnAssign),
    ]
    for other in others:
        if other.value is not None:
            yield [other.target], other.value


def _leaving(info: FunctionInfo) -> Iterator[ast.expr]:
    """The values that a function returns, yields or stores outside of its own names."""
    ends: list[ast.Return | ast.Yield | ast.YieldFrom] = [*info.nodes.of(ast.Return), *info.nodes.of(ast.Yield)]
    for end in (*ends, *info.nodes.of(ast.YieldFrom)):
        if end.value is not None:
            yield from end.value.elts if isinstance(end.value, ast.Tuple) else [end.value]
    for targets, value in _stores(info):
        if any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in targets):
            yield value


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return not names.isdisjoint(variables_in(node))
