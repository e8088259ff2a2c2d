"""Stores under a mask, made only where the mask selects something: made unasked, since they do nothing elsewhere."""

from __future__ import annotations

import ast

from breaklint.analysis.literals import same_code
from breaklint.analysis.purity import is_pure
from breaklint.analysis.queries import Doubt
from breaklint.analysis.shapes import operation
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.branches.conditions import branch_of
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.interp.values import Tensor, constant_kind
from breaklint.project.scope import single_target

WHY_STORE = (
    "the store runs also where nothing is selected: it raises for a leaf that needs a gradient, raises or warns for an "
    "expanded tensor, and counts as a change in place"
)
WHY_NEW = "a new tensor takes the place of the old one also where nothing is selected"
WHY_LARGEST = "an empty tensor raises no error, and a NaN no longer keeps the others as they are"
# The comparisons that each extreme answers, which no schema names.
LARGEST = {"max": (ast.Gt, ast.GtE), "min": (ast.Lt, ast.LtE), "amax": (ast.Gt, ast.GtE), "amin": (ast.Lt, ast.LtE)}


@fix("empty-mask-store")
def empty_mask_store(m: Match) -> Steps:
    """`if mask.any(): x[mask] = 0` -> `x[mask] = 0`."""
    request, branch = m.request, branch_of(m.request)
    mask, why = _selected(request, branch.test) if branch is not None else (None, "")
    if branch is None or mask is None or branch.orelse or request.text(branch).startswith("elif"):
        raise NotFixable
    stores = [_store(request, statement, mask) for statement in branch.body]
    if "" in stores or any("\n" in request.text(statement) for statement in branch.body):
        raise NotFixable
    yield from map(Doubt, filter(None, [*stores, why]))
    return m.put(branch, "\n".join(map(request.code, branch.body)), "Store without asking")


def _selected(request: FixRequest, test: ast.expr) -> tuple[ast.expr | None, str]:
    """The mask that a condition asks to select something, as syntax, and what else the condition does."""
    if isinstance(test, ast.Call):
        split = operation(request, test)
        if split is not None and split[0] == "any" and len(split[1]) == 1 and not test.keywords:
            return _mask(request, split[1][0]), ""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.left, ast.Call):
        return None, ""
    split = operation(request, test.left)
    if split is None or len(split[1]) != 1 or test.left.keywords:
        return None, ""
    bound, op = test.comparators[0], test.ops[0]
    if (
        split[0] == "sum"
        and isinstance(op, (ast.Gt, ast.NotEq))
        and isinstance(bound, ast.Constant)
        and bound.value == 0
    ):
        return _mask(request, split[1][0]), ""
    if isinstance(op, LARGEST.get(split[0], ())):
        compared = ast.Compare(split[1][0], [op], [bound])
        pure = is_pure(request, split[1][0]) and is_pure(request, bound)
        return (compared if pure else None), WHY_LARGEST
    return None, ""


def _mask(request: FixRequest, node: ast.expr) -> ast.expr | None:
    tensor = request.tensor(node)
    return node if tensor is not None and tensor.dtype == "bool" and is_pure(request, node) else None


def _store(request: FixRequest, statement: ast.stmt, mask: ast.expr) -> str:
    """Why a store under the mask may be made unasked, "" for what is no such store of a number."""
    call = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
    target = single_target(statement)
    if isinstance(target, ast.Subscript) and isinstance(statement, ast.Assign):
        plain = same_code(target.slice, mask) and isinstance(request.value(target.value), Tensor)
        return WHY_STORE if plain and is_pure(request, target.value) and _number(request, statement.value) else ""
    split = operation(request, call) if isinstance(call, ast.Call) and not call.keywords else None
    if split is None or len(split[1]) != 3 or not same_code(split[1][1], mask) or not _number(request, split[1][2]):
        return ""
    if split[0] == "masked_fill_" and isinstance(statement, ast.Expr) and is_pure(request, split[1][0]):
        return WHY_STORE
    same = isinstance(target, ast.Name) and isinstance(split[1][0], ast.Name) and split[1][0].id == target.id
    return WHY_NEW if split[0] == "masked_fill" and same else ""


def _number(request: FixRequest, node: ast.expr) -> bool:
    return constant_kind(request.value(node)) in ("int", "float", "bool")
