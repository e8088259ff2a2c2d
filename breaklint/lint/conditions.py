"""The conditions of a finding, as an expression that people read."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from breaklint.interp.context import Condition

LONGEST: Final = 80  # of one condition, in characters
_OPPOSITE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


def text_of(conditions: Iterable[Condition]) -> str:
    """`self.debug and mask is not None`; an empty text for no conditions. Each is named once."""
    parts: dict[str, None] = {}
    for condition in conditions:
        for node in _conjuncts(condition.test, condition.outcome, condition.case):
            text = ast.unparse(node)
            if isinstance(node, (ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr)):
                text = f"({text})"
            parts.setdefault(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")
    only = next(iter(parts), "")
    return only[1:-1] if len(parts) == 1 and only.startswith("(") and only.endswith(")") else " and ".join(parts)


def _conjuncts(test: ast.expr, outcome: bool, case: ast.match_case | None) -> Iterable[ast.expr]:
    """The expressions that hold after an outcome of a test."""
    if case is not None:
        return [_of_case(test, case)]
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _conjuncts(test.operand, not outcome, None)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is outcome:
        return [part for value in test.values for part in _conjuncts(value, outcome, None)]
    return [test if outcome else _negate(test)]


def _negate(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITE:
        return ast.Compare(test.left, [_OPPOSITE[type(test.ops[0])]()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


def _of_case(subject: ast.expr, case: ast.match_case) -> ast.expr:
    """`subject == pattern`, a readable form of a pattern."""
    return ast.Compare(subject, [ast.Eq()], [ast.Name(ast.unparse(case.pattern))])
