"""`torch._check(n > 0)`: the outcome of a later test of the number, which `fullgraph=True` keeps in the graph."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Final, NamedTuple

from breaklint.interp.events import Truth
from breaklint.interp.values import Number, without_none
from breaklint.project.walking import dotted_name

CHECKS: Final = frozenset({"torch._check", "torch._check_value"})
_OPERATORS: Final[dict[type[ast.cmpop], Callable[[float, float], bool]]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip


class _Test(NamedTuple):
    """The comparison of an expression with a number: `n > 0`."""

    subject: str
    holds: Callable[[float, float], bool]
    number: float


def is_decided(truth: Truth) -> bool:
    """Whether an earlier `torch._check` in the function decides a test."""
    test, info, project = _test(truth.node), truth.frame.function, truth.frame.interp.project
    if test is None or info is None or not isinstance(without_none(truth.value), Number):
        return False
    for call in info.nodes.of(ast.Call):
        name = dotted_name(call.func)
        if name is None or not call.args or call.lineno >= truth.node.lineno:
            continue
        checked = _test(call.args[0]) if project.resolve(info.module, name) in CHECKS else None
        if checked is not None and checked.subject == test.subject and _decides(checked, test):
            return True
    return False


def _test(node: ast.expr) -> _Test | None:
    if not (isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.comparators[0], ast.Constant)):
        return None
    holds, number = _OPERATORS.get(type(node.ops[0])), node.comparators[0].value
    return None if holds is None or not isinstance(number, int) else _Test(ast.unparse(node.left), holds, number)


def _decides(checked: _Test, test: _Test) -> bool:
    """Whether all numbers that pass the check have one outcome of the test."""
    numbers = [number + step for number in (checked.number, test.number) for step in (-1, 0, 1)]
    return len({test.holds(number, test.number) for number in numbers if checked.holds(number, checked.number)}) == 1
