"""Stores under a mask, made only where the mask selects something: made unasked, since they do nothing elsewhere."""

from __future__ import annotations

import ast

from breaklint.analysis.literals import same_code
from breaklint.analysis.purity import is_pure
from breaklint.analysis.queries import Doubt
from breaklint.analysis.shapes import of_one_tensor
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.branches.conditions import branch_of
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.interp.values import Tensor, constant_kind

WHY_STORE = (
    "the store runs also where nothing is selected: it raises for a leaf that needs a gradient, raises or warns for an "
    "expanded tensor, and counts as a change in place; and it raises what such a store raises (a mask of another "
    "shape, a number that the dtype does not hold, a tensor made under inference_mode)"
)
WHY_NEW = (
    "a new tensor takes the place of the old one also where nothing is selected: with the shape of a wider mask, or "
    "the error of one that does not fit, and without a gradient under no_grad"
)
WHY_LARGEST = "an empty tensor raises no error, and a NaN no longer keeps the others as they are"
# The comparisons that each extreme answers, which no schema names.
LARGEST = dict.fromkeys(("max", "amax"), ([ast.Gt], [ast.GtE])) | dict.fromkeys(("min", "amin"), ([ast.Lt], [ast.LtE]))
COUNTED = ("{mask}.sum() > 0", "{mask}.sum() != 0", "torch.sum({mask}) > 0", "torch.sum({mask}) != 0")
SELECTS = ("{mask}.any()", "torch.any({mask})", *COUNTED)
STORES = ("{x}[{mask}] = {number}", "{x}.masked_fill_({mask}, {number})")
FILLS = ("{y} = {x}.masked_fill({mask}, {number})", "{y} = torch.masked_fill({x}, {mask}, {number})")


@fix("empty-mask-store")
def empty_mask_store(m: Match) -> Steps:
    """`if mask.any(): x[mask] = 0` -> `x[mask] = 0`."""
    request, branch = m.request, branch_of(m.request)
    mask, why = _selected(request, branch.test) if branch is not None else (None, "")
    if branch is None or mask is None or not request.is_single(branch):
        raise NotFixable
    stores = [_store(request, statement, mask) for statement in branch.body]
    if "" in stores or any("\n" in request.text(statement) for statement in branch.body):
        raise NotFixable
    yield from map(Doubt, filter(None, [*stores, why]))
    return m.put(branch, "\n".join(map(request.code, branch.body)), "Store without asking")


def _selected(request: FixRequest, test: ast.expr) -> tuple[ast.expr | None, str]:
    """The mask that a condition asks to select something, as syntax, and what else the condition does."""
    if (asked := request.matched(test, *SELECTS)) is not None:
        return _mask(request, asked["mask"]), ""
    name, tensor = of_one_tensor(request, test.left) if isinstance(test, ast.Compare) else ("", None)
    if not isinstance(test, ast.Compare) or tensor is None or [*map(type, test.ops)] not in LARGEST.get(name, ()):
        return None, ""
    pure = is_pure(request, tensor) and is_pure(request, test.comparators[0])
    return (ast.Compare(tensor, test.ops, test.comparators) if pure else None), WHY_LARGEST


def _mask(request: FixRequest, node: ast.expr) -> ast.expr | None:
    tensor = request.tensor(node)
    return node if tensor is not None and tensor.dtype == "bool" and is_pure(request, node) else None


def _store(request: FixRequest, statement: ast.stmt, mask: ast.expr) -> str:
    """Why a store under the mask may be made unasked, "" for what is no such store of a number."""
    found = request.matched(statement, *STORES, *FILLS)
    if found is None or not same_code(found["mask"], mask) or not isinstance(request.value(found["x"]), Tensor):
        return ""
    if constant_kind(request.value(found["number"])) not in ("int", "float", "bool"):
        return ""
    if "y" in found:
        return WHY_NEW if isinstance(found["x"], ast.Name) and same_code(found["x"], found["y"]) else ""
    return WHY_STORE if is_pure(request, found["x"]) else ""
