"""Values that replace None in eager mode only, and are needed when compiled as well."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from breaklint.interp.callables import Function
from breaklint.interp.context import Condition
from breaklint.interp.events import Call, Index
from breaklint.interp.frame import Frame
from breaklint.interp.models.torch_names import COMPILING
from breaklint.interp.values import NONE, Const, ExternalName, without_none
from breaklint.project.module import FunctionInfo
from breaklint.project.spans import end_of
from breaklint.project.syntax import begin_of
from breaklint.project.walking import dotted_name
from breaklint.rules.base import Check, Hit


class Default(NamedTuple):
    """`if name is None and not is_compiling(): name = ...`: the statement, and its test of the name."""

    branch: ast.If
    absent: ast.Compare


class EagerOnlyDefault(Check):
    """`if m is None and not torch.compiler.is_compiling(): m = torch.ones(n)`, and then `m[0]` or `m.mean()`."""

    def applies_to(self, target: str, method: str) -> bool:
        return bool(method)

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if isinstance(call.node, ast.Call) and isinstance(call.node.func, ast.Attribute):
            yield from _hits(call.frame, call.node, call.node.func.value)

    def visit_index(self, index: Index) -> Iterator[Hit]:
        if index.use == "load":
            yield from _hits(index.frame, index.node, index.node.value)


def _hits(frame: Frame, node: ast.expr, base: ast.expr) -> Iterator[Hit]:
    while isinstance(base, ast.Attribute):
        base = base.value
    value = frame.env.get(base.id) if isinstance(base, ast.Name) else None
    may_be_none = value is not None and (value == NONE or without_none(value) is not value)
    if not may_be_none or frame.function is None or not isinstance(base, ast.Name):
        return
    default = _default_before(frame, frame.function, base)
    if default is not None:
        absent = (Condition(default.absent, True),)
        yield Hit(
            node, f"`{base.id}` is None when compiled: line {default.branch.lineno} sets it in eager mode alone", absent
        )


def _default_before(frame: Frame, info: FunctionInfo, read: ast.Name) -> Default | None:
    """The default of a name that is read without a test in the next statement, or None.

    Tracing ends at the first read on a path from the default to the end of its block.
    """
    branches = _eager_branches(info)
    scope = frame.module.scope(info.node) if branches else None
    if scope is None or read not in scope:
        return None
    for branch in branches:
        default = _default(frame, branch, read.id)
        place = scope.block(default.branch) if default is not None else None
        if default is None or place is None or scope.is_inner(read):
            continue
        later = place[0][place[1] + 1 :]
        enclosing = {read, *scope.parents(read)}
        if not any(item in enclosing for item in later):
            continue
        between = [load for load in scope.loads(read.id) if end_of(default.branch) <= begin_of(load) < begin_of(read)]
        if not any(_stops(frame, info, item, enclosing) for item in between):
            return default
    return None


class _EagerBranches(dict[FunctionInfo, tuple[ast.If, ...]]):
    """By function: its `if a and not b():` without `else`, for any `a` and `b`."""


def _eager_branches(info: FunctionInfo) -> tuple[ast.If, ...]:
    """Computed once per function: most functions have none, and every read of an optional value needs them."""
    cache = info.module.derive(_EagerBranches, _EagerBranches)
    if info not in cache:
        cache[info] = tuple(filter(_may_be_eager, info.nodes.of(ast.If)))
    return cache[info]


def _may_be_eager(branch: ast.If) -> bool:
    values = branch.test.values if isinstance(branch.test, ast.BoolOp) and isinstance(branch.test.op, ast.And) else []
    return not branch.orelse and any(
        isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not) for value in values
    )


def _stops(frame: Frame, info: FunctionInfo, earlier: ast.Name, enclosing: set[ast.AST]) -> bool:
    """Whether an earlier read on every path to `around` also needs a value, or compares with None."""
    scope = frame.module.scope(info.node)
    use, statement = scope.parent(earlier), scope.statement(earlier)
    place = scope.block(statement) if statement is not None else None
    in_block = place is not None and any(item in enclosing for item in place[0])
    return isinstance(use, ast.Compare) or (isinstance(use, ast.Subscript | ast.Attribute) and in_block)


def _default(frame: Frame, branch: ast.If, name: str) -> Default | None:
    values = branch.test.values if isinstance(branch.test, ast.BoolOp) else []
    absent = next((value for value in values if _is_absent(value, name)), None)
    eager_only = any(_asks_compiling(frame, value) for value in values)
    is_set = any(
        isinstance(target, ast.Name) and target.id == name
        for item in branch.body
        if isinstance(item, ast.Assign)
        for target in item.targets
    )
    if not is_set or not isinstance(absent, ast.Compare) or not eager_only:
        return None
    return Default(branch, absent)


def _is_absent(node: ast.expr, name: str) -> bool:
    compared = isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Is)
    return compared and ast.unparse(node) == f"{name} is None"


def _asks_compiling(frame: Frame, node: ast.expr) -> bool:
    """Whether a test is `not torch.compiler.is_compiling()`, or a call of a function of the project with this test."""
    call = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else None
    if not isinstance(call, ast.Call) or call.args or call.keywords:
        return False
    callee, output = frame.interp.values.get(call.func), frame.interp.values.get(call)
    if isinstance(callee, ExternalName):
        return callee.name in COMPILING
    if not isinstance(callee, Function) or output != Const(True):
        return False
    project, module = frame.interp.project, callee.info.module
    names = [dotted_name(part.func) for part in callee.info.nodes.of(ast.Call)]
    return any(project.resolve(module, name) in COMPILING for name in names if name is not None)
