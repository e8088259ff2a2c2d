"""Branches that need no branch: stores that do nothing where nothing is selected, draws, loops over found places."""

from __future__ import annotations

import ast

from breaklint.fixes.base import DISPLAY, UNSAFE, FixRequest, NotFixable, Outcome, Verdict
from breaklint.fixes.codemods.found_rows import over_all
from breaklint.fixes.codemods.raise_guard import only_when_eager
from breaklint.fixes.codemods.stored_in_both import stored_in_both
from breaklint.fixes.proofs.purity import is_pure
from breaklint.fixes.proofs.shape_equality import operation
from breaklint.interp.values import Tensor, constant_kind
from breaklint.project.scope import single_target
from breaklint.project.walking import walk

WHY_STORE = (
    "the store runs also where nothing is selected: it raises for a leaf that needs a gradient, raises or warns for an "
    "expanded tensor, and counts as a change in place"
)
WHY_NEW = "a new tensor takes the place of the old one also where nothing is selected"
WHY_LARGEST = "an empty tensor raises no error, and a NaN no longer keeps the others as they are"
WHY_DRAWN = "compiled code takes the other way at every call, whatever is drawn"
DRAWING = ("numpy.random", "random")  # modules
# The comparisons that each extreme answers, which no schema names.
LARGEST = {"max": (ast.Gt, ast.GtE), "min": (ast.Lt, ast.LtE), "amax": (ast.Gt, ast.GtE), "amin": (ast.Lt, ast.LtE)}


def without_branch(request: FixRequest, branch: ast.If, reason: NotFixable) -> Outcome:
    """What can be done about a branch that chooses no values; raises the reason again where it is nothing."""
    for way in (stored_in_both, _stores_alone, _found_place, _drawn):
        found = way(request, branch)
        if found is not None:
            return found
    raise reason


def _stores_alone(request: FixRequest, branch: ast.If) -> Outcome | None:
    """`if mask.any(): x[mask] = 0` -> `x[mask] = 0`."""
    mask, why = _selected(request, branch.test)
    if mask is None or branch.orelse or request.text(branch).startswith("elif"):
        return None
    stores = [_store(request, statement, mask) for statement in branch.body]
    if "" in stores or any(statement.lineno != statement.end_lineno for statement in branch.body):
        return None
    reasons = dict.fromkeys([*stores, *([why] if why else [])])
    text = "\n".join(request.code(statement) for statement in branch.body)
    return request.rewrite(branch, branch, text, Verdict(UNSAFE, "; ".join(reasons), "Store without asking"))


def _selected(request: FixRequest, test: ast.expr) -> tuple[str | None, str]:
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
        return (ast.dump(compared) if pure else None), WHY_LARGEST
    return None, ""


def _mask(request: FixRequest, node: ast.expr) -> str | None:
    tensor = request.tensor(node)
    return ast.dump(node) if tensor is not None and tensor.dtype == "bool" and is_pure(request, node) else None


def _store(request: FixRequest, statement: ast.stmt, mask: str) -> str:
    """Why a store under the mask may be made unasked, "" for what is no such store of a number."""
    call = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
    target = single_target(statement)
    if isinstance(target, ast.Subscript) and isinstance(statement, ast.Assign):
        plain = ast.dump(target.slice) == mask and isinstance(request.value(target.value), Tensor)
        return WHY_STORE if plain and is_pure(request, target.value) and _number(request, statement.value) else ""
    split = operation(request, call) if isinstance(call, ast.Call) and not call.keywords else None
    if split is None or len(split[1]) != 3 or ast.dump(split[1][1]) != mask or not _number(request, split[1][2]):
        return ""
    if split[0] == "masked_fill_" and isinstance(statement, ast.Expr) and is_pure(request, split[1][0]):
        return WHY_STORE
    same = isinstance(target, ast.Name) and isinstance(split[1][0], ast.Name) and split[1][0].id == target.id
    return WHY_NEW if split[0] == "masked_fill" and same else ""


def _number(request: FixRequest, node: ast.expr) -> bool:
    return constant_kind(request.value(node)) in ("int", "float", "bool")


def _found_place(request: FixRequest, branch: ast.If) -> Outcome | None:
    """`for k in found.nonzero(): … if k == n: continue`: the loop over all places has numbers for them."""
    names = {part.id for part in walk(branch.test) if isinstance(part, ast.Name)}
    for around in request.scope.parents(branch):
        if isinstance(around, ast.For) and isinstance(around.target, ast.Name) and around.target.id in names:
            places = around.iter
            if isinstance(places, ast.Name):
                stores = request.scope.stores(places.id)
                made = request.scope.parent(stores[0]) if len(stores) == 1 else None
                places = made.value if isinstance(made, ast.Assign) else places
            try:
                return over_all(request, _listed(places))
            except NotFixable:
                return None
    return None


def _listed(places: ast.expr) -> ast.expr:
    """The call of nonzero behind `.squeeze(…)`."""
    if (
        isinstance(places, ast.Call)
        and isinstance(places.func, ast.Attribute)
        and places.func.attr in ("squeeze", "flatten")
    ):
        return places.func.value
    return places


def _draws(request: FixRequest, function: str) -> bool:
    """Whether a function draws random numbers."""
    fact = request.facts.function(function)
    return function.rpartition(".")[0] in DRAWING or (fact is not None and fact.random)


def _drawn(request: FixRequest, branch: ast.If) -> Outcome | None:
    """A branch that chance decides, as layers are dropped in training."""
    for part in walk(branch.test):
        made = request.scope.definition(part.id, part).value if isinstance(part, ast.Name) else part
        if isinstance(made, ast.Call) and _draws(request, request.qualified(made.func)):
            return only_when_eager(request, branch, Verdict(DISPLAY, WHY_DRAWN, "Decide only when not compiling"))
    return None
