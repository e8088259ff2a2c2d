"""Parameters that default to None, and the values by which the function replaces None."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import Value, join, options
from breaklint.interp.objects import Instance
from breaklint.interp.values import NONE, ExternalInstance
from breaklint.project.module import FunctionInfo
from breaklint.project.syntax import is_literal
from breaklint.project.walking import NodesByClass


def stand_in(interp: AbstractInterpreter, info: FunctionInfo, name: str) -> Value | None:
    """The value of `name` by its replacement for None; None if there is none.

    `self.rng = torch.Generator() if rng is None else rng` shows that callers pass a generator.
    """
    node = info.derive(_replacements).get(name)
    if node is None:
        return None
    value = interp.global_value(info.module, node)
    return (
        join(value, NONE) if all(isinstance(option, ExternalInstance | Instance) for option in options(value)) else None
    )


def _replacements(info: FunctionInfo) -> dict[str, ast.expr]:
    """The calls that replace parameters that are None."""
    calls: dict[str, ast.expr] = {}
    for name, value in _choices(info.nodes):
        if name is not None and isinstance(value, ast.Call):
            calls.setdefault(name, value)
    return calls


def _choices(nodes: NodesByClass) -> Iterator[tuple[str | None, ast.expr]]:
    for branch in nodes.of(ast.If):
        if isinstance(branch.body[0], ast.Assign):
            yield _absent(branch.test), branch.body[0].value
    for conditional in nodes.of(ast.IfExp):
        yield _of_conditional(conditional)
    for either in nodes.of(ast.BoolOp):
        if isinstance(either.op, ast.Or) and isinstance(either.values[0], ast.Name):
            yield either.values[0].id, either.values[-1]


def _of_conditional(node: ast.IfExp) -> tuple[str | None, ast.expr]:
    """The name and the replacement of `A() if x is None else x` or `x if x is not None else A()`."""
    absent, present = _absent(node.test), _present(node.test)
    return (absent, node.body) if absent is not None else (present, node.orelse)


def _absent(test: ast.expr) -> str | None:
    """The name that is None if a test is true."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, ast.Name):
        return test.operand.id
    return _compared(test, ast.Is)


def _present(test: ast.expr) -> str | None:
    """The name that is not None if a test is true."""
    return test.id if isinstance(test, ast.Name) else _compared(test, ast.IsNot)


def _compared(test: ast.expr, op: type[ast.cmpop]) -> str | None:
    if not (isinstance(test, ast.Compare) and isinstance(test.ops[0], op) and isinstance(test.left, ast.Name)):
        return None
    return test.left.id if is_literal(test.comparators[0], None) else None
