"""Conditions as tensors: and, or, not and chained comparisons in operators that stay in the graph."""

from __future__ import annotations

import ast
from itertools import pairwise

from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import FixRequest, NotFixable

SIGNS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


def as_tensor(request: FixRequest, node: ast.expr) -> str:
    """The source of a condition as a 0-dim bool tensor; raises NotFixable where it is not known to be one."""
    torch, _ = request.name_of("torch")
    if isinstance(node, ast.BoolOp):
        name = "logical_and" if isinstance(node.op, ast.And) else "logical_or"
        if not all(is_pure(request, operand) for operand in node.values[1:]):
            raise NotFixable("an operand may do more than give a value, and all of them would be computed")
        text = as_tensor(request, node.values[0])
        for operand in node.values[1:]:
            text = f"{torch}.{name}({text}, {as_tensor(request, operand)})"
        return text
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"{torch}.logical_not({as_tensor(request, node.operand)})"
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        return _chain(request, node, torch)
    return _single(request, node)


def _single(request: FixRequest, node: ast.expr) -> str:
    tensor = request.tensor(node)
    if tensor is None:
        raise request.not_a_tensor(node)
    if tensor.ndim not in (0, None):
        raise NotFixable(f"the condition `{request.text(node)}` has dimensions, and may hold more than a single value")
    text = request.code(node) if tensor.ndim == 0 else f"{request.operand(node)}.reshape(())"
    if tensor.dtype == "bool":
        return text
    return f"{request.operand(node) if tensor.ndim == 0 else text} != 0"


def _chain(request: FixRequest, node: ast.Compare, torch: str) -> str:
    """`a < b < c` as `torch.logical_and(a < b, b < c)`."""
    sides = [node.left, *node.comparators]
    if not all(is_pure(request, side) for side in sides):
        raise NotFixable("a side of the comparison may do more than give a value, and would be computed twice")
    if request.tensor(node) is None or not _each_pair(request, sides):
        raise NotFixable("not every pair of the chained comparison is known to hold a single-valued tensor")
    signs = [SIGNS[type(op)] for op in node.ops]
    pairs = [
        f"{request.operand(a)} {sign} {request.operand(b)}" for a, sign, b in zip(sides, signs, sides[1:], strict=False)
    ]
    text = pairs[0]
    for pair in pairs[1:]:
        text = f"{torch}.logical_and({text}, {pair})"
    return text


def _each_pair(request: FixRequest, sides: list[ast.expr]) -> bool:
    tensors = [request.tensor(side) for side in sides]
    if any(tensor is not None and tensor.ndim != 0 for tensor in tensors):
        return False
    return all(a is not None or b is not None for a, b in pairwise(tensors))
