"""The outcome of a test if each parameter has its default."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from breaklint.interp.context import Condition
from breaklint.interp.signatures import signature_of
from breaklint.project.module import FunctionInfo

_UNKNOWN: Final = object()


def holds_by_default(condition: Condition, function: FunctionInfo | None) -> bool:
    """Whether a test has the outcome that the condition names if the parameters have their defaults.

    If the defaults do not decide the test, the code after an early exit runs, and a branch does not.
    """
    if function is None or condition.case is not None:
        return False
    value = _value(condition.test, constant_defaults(function))
    return condition.after_exit if value is _UNKNOWN else bool(value) is condition.outcome


def constant_defaults(function: FunctionInfo) -> dict[str, object]:
    """The constant defaults of a function's parameters, by name."""
    pairs = signature_of(function).defaults
    return {parameter.arg: node.value for parameter, node in pairs if isinstance(node, ast.Constant)}


def _value(node: ast.expr, defaults: Mapping[str, object]) -> object:
    """The value of a test, `_UNKNOWN` if the defaults do not decide it."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return defaults.get(node.id, _UNKNOWN)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        value = _value(node.operand, defaults)
        return _UNKNOWN if value is _UNKNOWN else not value
    if isinstance(node, ast.BoolOp):
        return _of_operands(node, defaults)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
        left, right = _value(node.left, defaults), _value(node.comparators[0], defaults)
        is_decided = _UNKNOWN not in (left, right)
        return (left is right) is isinstance(node.ops[0], ast.Is) if is_decided else _UNKNOWN
    return _UNKNOWN


def _of_operands(node: ast.BoolOp, defaults: Mapping[str, object]) -> object:
    """The value of `and` and `or`: one deciding operand is enough."""
    decisive = isinstance(node.op, ast.Or)
    values = [_value(operand, defaults) for operand in node.values]
    if any(value is not _UNKNOWN and bool(value) is decisive for value in values):
        return decisive
    return _UNKNOWN if _UNKNOWN in values else not decisive
