"""Questions about tensors' data that mean the tensors themselves."""

from __future__ import annotations

import ast
from typing import TypeGuard

from breaklint.analysis.literals import same_code
from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Outcome, Rewrite, Verdict, codemod
from breaklint.project.walking import walk

ATTENTION = ({"query", "q"}, {"key", "k"}, {"value", "v"})
WHY = (
    "equal tensors that are two objects count as different, so that each is computed with and gets a gradient of its "
    "own, and a tensor with NaN is the same as itself, where torch.equal says no"
)


@codemod
def same_object(request: FixRequest) -> Outcome:
    """`torch.equal(query, key)` -> `query is key`: whether attention is over one tensor, as torch's own asks today.

    All that a statement asks so is rewritten at once, since an operand that may be skipped is no finding by itself.
    """
    if not _is_attention(request, request.node):
        raise NotFixable("what the bool decides has to become tensor code")
    verdict = Verdict(UNSAFE, WHY, "Ask whether it is the same tensor")
    calls = [node for node in walk(request.statement()) if _is_attention(request, node)]
    if any(_is_asked_first(request, call) for call in calls):
        raise NotFixable("whether it is the same tensor is asked already; this call is for others")
    fixes = [_compared(request, call, verdict) for call in calls if isinstance(call, ast.Call)]
    return Rewrite(UNSAFE, verdict.message, WHY, tuple(edit for fix in fixes for edit in fix.changes))


def _is_asked_first(request: FixRequest, call: ast.AST) -> bool:
    """Whether a call is the rest of `query is key or torch.equal(query, key)`."""
    around = request.scope.parent(call)
    if not isinstance(call, ast.Call) or not isinstance(around, ast.BoolOp) or not isinstance(around.op, ast.Or):
        return False
    first, second = call.args
    asked = [(each.left, each.comparators[0]) for each in around.values if _asks_which(each)]
    orders = ((first, second), (second, first))
    return any(same_code(a, left) and same_code(b, right) for left, right in asked for a, b in orders)


def _asks_which(node: ast.expr) -> TypeGuard[ast.Compare]:
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is)


def _compared(request: FixRequest, call: ast.Call, verdict: Verdict) -> Rewrite:
    left, right = map(request.code, call.args)
    return request.replace(call, f"{left} is {right}", verdict)


def _is_attention(request: FixRequest, node: ast.AST) -> bool:
    """Whether a call compares two of query, key and value."""
    found = request.matched(node, "torch.equal({a}, {b})") or {}
    roles = [_role(request, argument) for argument in found.values()]
    return len(set(roles)) == len(roles) == 2 and None not in roles


def _role(request: FixRequest, node: ast.expr) -> int | None:
    """Which of query, key and value an argument of the function is, as it was passed in."""
    if not isinstance(node, ast.Name) or not request.definition(node.id, node).is_outer:
        return None
    arguments = {part.arg for part in walk(request.scope.root) if isinstance(part, ast.arg)}
    found = [number for number, names in enumerate(ATTENTION) if node.id in names and node.id in arguments]
    return found[0] if found else None
