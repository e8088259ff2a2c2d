"""`a and b` of tensors outside of a branch: torch.logical_and, where the result is used as a tensor can be."""

from __future__ import annotations

import ast

from breaklint.analysis.queries import Doubt, required
from breaklint.fixes.base import FixRequest
from breaklint.fixes.branches.conditions import as_tensor, may_hold_more, whole_condition
from breaklint.fixes.branches.selections import scalar_uses_of
from breaklint.fixes.protocol import Match, Steps, fix


@fix("logical-operator")
def logical_operator(m: Match) -> Steps:
    """`a and b` -> `torch.logical_and(a, b)`, where the result is used as a tensor can be."""
    request, whole = m.request, whole_condition(m.request)
    around = request.scope.parent(whole)
    yield required(not isinstance(around, ast.Assert), "it is asserted, and the assert is fixed as a whole")
    yield required(not (isinstance(around, (ast.If, ast.IfExp)) and around.test is whole), "")
    scalar_uses_of(request).follow(whole, True)
    yield required(_is_truth(request, whole), "its value is one of the operands, not only their truth")
    yield required(not may_hold_more(request, whole), "an operand is not known to be a single value")
    _, imports = request.name_of("torch")
    yield Doubt(request.rule.fix_why)
    return m.exchanged(whole, as_tensor(request, whole), "Use torch's logical function", *imports)


def _is_truth(request: FixRequest, node: ast.expr) -> bool:
    """Whether a logical expression is True or False, and not one of its operands that is no truth value itself."""
    if isinstance(node, ast.BoolOp):
        return all(_is_truth(request, operand) for operand in node.values)
    tensor = request.tensor(node)
    return isinstance(node, (ast.Compare, ast.UnaryOp)) or (tensor is not None and tensor.dtype == "bool")
