"""Whether a selected value may be changed in place later, though an operation has saved it for its gradient.

Backward raises then where an existing value was selected, and does not where a new one was.
"""

from __future__ import annotations

import ast

from breaklint.analysis.alias import is_fresh_result
from breaklint.analysis.purity import escapes, name_only_read, only_read
from breaklint.analysis.shapes import operation
from breaklint.fixes.base import FixRequest
from breaklint.fixes.branches.choices import Choice

# What saves its operands at most. Others may save their result, as exp and relu do; no schema says which.
LINEAR = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def is_kept(request: FixRequest, test: ast.expr) -> bool:
    """Whether nobody changes a condition after the choice: the selection needs it as it is for its gradient."""
    if isinstance(test, ast.Compare | ast.BoolOp) or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
        return True  # a new tensor is made of it
    if not isinstance(test, ast.Name):
        return is_fresh_result(request, test)
    made = request.definition(test.id, test).value
    own = isinstance(made, ast.Compare) or (made is not None and is_fresh_result(request, made))
    kept = name_only_read(request, test.id) and not any(escapes(request, each) for each in request.scope.loads(test.id))
    return own and kept


def may_change_saved(request: FixRequest, choice: Choice, sides: list[ast.expr]) -> bool:
    """Whether something may change in place what is chosen, and an operation needs one of the values as it is."""
    values: list[ast.expr | str] = [*sides]
    if choice.orelse is None and choice.target:
        values.append(choice.target)
    return any(_is_saved(request, value, choice) for value in values) and not _stays(request, choice)


def _stays(request: FixRequest, choice: Choice) -> bool:
    """Whether what is chosen is only computed with, and stays in the function."""
    around = request.scope.parent(choice.test)
    if choice.target is None:
        return isinstance(around, ast.IfExp) and only_read(request, around) and not escapes(request, around)
    if not choice.target or choice.stores or not name_only_read(request, choice.target):
        return False
    return not any(escapes(request, load) for load in request.scope.loads(choice.target))


def _is_saved(request: FixRequest, side: ast.expr | str, choice: Choice) -> bool:
    """Whether an operation outside of a choice may need a value of it for a gradient: the one that made it, or one that
    reads it. Sums, products, quotients and negations need what they are made of."""
    if isinstance(side, ast.UnaryOp):
        return not isinstance(side.op, ast.USub)
    if isinstance(side, ast.BinOp):
        return not isinstance(side.op, LINEAR)
    if isinstance(side, ast.Call):
        split = operation(request, side)
        return split is None or split[0] != "neg"
    name = side.id if isinstance(side, ast.Name) else side
    if not isinstance(name, str):
        return True
    at = choice.first or choice.test
    around = {each for each in (choice.first, choice.last, request.scope.parent(choice.test)) if each is not None}
    early = [load for load in request.scope.loads(name) if request.flow.may_precede(load, at)]
    inside = all(not around.isdisjoint(request.scope.parents(load)) for load in early)
    made = request.definition(name, at).value
    return made is None or isinstance(made, ast.Name) or not inside or _is_saved(request, made, choice)
