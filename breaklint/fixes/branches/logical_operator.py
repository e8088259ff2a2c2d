"""`a and b` of tensors outside of a branch: torch.logical_and, where the result is used as a tensor can be."""

from __future__ import annotations

import ast

from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Outcome, Verdict, codemod
from breaklint.fixes.branches.conditions import may_hold_more, whole_condition
from breaklint.fixes.branches.logic import as_tensor
from breaklint.fixes.branches.selections import scalar_uses_of


@codemod
def logical_operator(request: FixRequest) -> Outcome | None:
    """`a and b` -> `torch.logical_and(a, b)`, where the result is used as a tensor can be."""
    whole = whole_condition(request)
    around = request.scope.parent(whole)
    if isinstance(around, ast.Assert):
        raise NotFixable("it is asserted, and the assert is fixed as a whole")
    if isinstance(around, (ast.If, ast.IfExp)) and around.test is whole:
        return None
    scalar_uses_of(request).follow(whole, True)
    if not _is_truth(request, whole):
        raise NotFixable("its value is one of the operands, not only their truth")
    if may_hold_more(request, whole):
        raise NotFixable("an operand is not known to be a single value")
    _, imports = request.name_of("torch")
    verdict = Verdict(UNSAFE, request.rule.fix_why, "Use torch's logical function")
    return request.replace(whole, as_tensor(request, whole), verdict, imports)


def _is_truth(request: FixRequest, node: ast.expr) -> bool:
    """Whether a logical expression is True or False, and not one of its operands that is no truth value itself."""
    if isinstance(node, ast.BoolOp):
        return all(_is_truth(request, operand) for operand in node.values)
    tensor = request.tensor(node)
    return isinstance(node, (ast.Compare, ast.UnaryOp)) or (tensor is not None and tensor.dtype == "bool")
