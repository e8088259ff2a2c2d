"""Questions about tensors' data that mean the tensors themselves."""

from __future__ import annotations

import ast

from breaklint.analysis.literals import same_code
from breaklint.analysis.queries import Doubt, required
from breaklint.fixes.base import FixRequest
from breaklint.fixes.protocol import Draft, Match, Steps, fix
from breaklint.project.walking import walk

ATTENTION = ({"query", "q"}, {"key", "k"}, {"value", "v"})
WHY = (
    "equal tensors that are two objects count as different, so that each is computed with and gets a gradient of its "
    "own, and a tensor with NaN is the same as itself, where torch.equal says no"
)


@fix("same-object")
def same_object(m: Match) -> Steps:
    """`torch.equal(query, key)` -> `query is key`: whether attention is over one tensor, as torch's own asks today.

    All that a statement asks so is rewritten at once, since an operand that may be skipped is no finding by itself.
    """
    request = m.request
    yield required(_is_attention(request, request.node), "what the bool decides has to become tensor code")
    parts = walk(request.statement())
    calls = [part for part in parts if isinstance(part, ast.Call) and _is_attention(request, part)]
    asked = any(_is_asked_first(request, call) for call in calls)
    yield required(not asked, "whether it is the same tensor is asked already; this call is for others")
    yield Doubt(WHY)
    changes = [request.exchange(call, " is ".join(map(request.code, call.args))) for call in calls]
    return Draft("Ask whether it is the same tensor", (*changes,))


def _is_asked_first(request: FixRequest, call: ast.AST) -> bool:
    """Whether a call is the rest of `query is key or torch.equal(query, key)`."""
    around = request.scope.parent(call)
    if not isinstance(call, ast.Call) or not isinstance(around, ast.BoolOp) or not isinstance(around.op, ast.Or):
        return False
    first, second = call.args
    compared = [each for each in around.values if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.Is)]
    asked = [(each.left, each.comparators[0]) for each in compared]
    orders = ((first, second), (second, first))
    return any(same_code(a, left) and same_code(b, right) for left, right in asked for a, b in orders)


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
