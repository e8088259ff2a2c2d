"""Expressions of selected elements, written for all elements."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass

from breaklint.analysis.values import Const
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.likeness import likeness, operation
from breaklint.fixes.purity import is_pure

OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
# Of these a masked-out element that is finite gives a finite slope, so that its zero weight stays zero.
SMOOTH = frozenset("relu neg tanh sigmoid abs square sin cos pow".split())


@dataclass(frozen=True, slots=True)
class Unmasked:
    """The source of an expression whose masked reads are whole tensors, and those tensors."""

    text: str
    tensors: tuple[ast.expr, ...] = ()

    @property
    def selected(self) -> bool:
        """Whether selected elements are in it."""
        return bool(self.tensors)


def unmasked(request: FixRequest, node: ast.expr, mask: ast.expr, names: Collection[str] = ()) -> Unmasked:
    """An elementwise expression with `x[mask]` written as `x`; raises NotFixable for any other.

    `names` hold selected elements, and will hold all of them.
    """
    if isinstance(node, ast.Name) and node.id in names:
        return Unmasked(node.id, (node,))
    if (
        isinstance(node, ast.Subscript)
        and ast.dump(node.slice) == ast.dump(mask)
        and request.tensor(node.value) is not None
    ):
        return Unmasked(request.operand(node.value), (node.value,))
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return _arithmetic(request, node, mask, names)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and _is_exponent(request, node.right):
        base = unmasked(request, node.left, mask, names)
        return Unmasked(f"{_enclosed(node.left, base)} ** {request.text(node.right)}", base.tensors)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = unmasked(request, node.operand, mask, names)
        return Unmasked(f"-{_enclosed(node.operand, inner)}", inner.tensors)
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return Unmasked(request.text(node))
    if isinstance(node, ast.Call) and not node.keywords:
        return _called(request, node, mask, names)
    raise NotFixable("what is done with the selected elements is not known to act on each alone")


def _called(request: FixRequest, node: ast.Call, mask: ast.expr, names: Collection[str]) -> Unmasked:
    split = operation(request, node)
    if split is None or split[0] not in SMOOTH or not _elementwise_arguments(request, split[0], split[1][1:]):
        raise NotFixable("what is done with the selected elements is not known to act on each alone")
    inner = unmasked(request, split[1][0], mask, names)
    others = [request.text(argument) for argument in split[1][1:]]
    if len(node.args) == len(split[1]):
        return Unmasked(f"{request.text(node.func)}({', '.join([inner.text, *others])})", inner.tensors)
    return Unmasked(f"{_enclosed(split[1][0], inner)}.{split[0]}({', '.join(others)})", inner.tensors)


def _elementwise_arguments(request: FixRequest, name: str, others: list[ast.expr]) -> bool:
    return len(others) == 1 and _is_exponent(request, others[0]) if name == "pow" else not others


def _is_exponent(request: FixRequest, node: ast.expr) -> bool:
    """Whether a power has a finite slope everywhere."""
    value = request.value(node)
    return isinstance(value, Const) and isinstance(value.value, (int, float)) and value.value >= 1


def _enclosed(node: ast.expr, part: Unmasked) -> str:
    return part.text if isinstance(node, (ast.Subscript, ast.Name, ast.Call, ast.Constant)) else f"({part.text})"


def _arithmetic(request: FixRequest, node: ast.BinOp, mask: ast.expr, names: Collection[str]) -> Unmasked:
    left, right = (unmasked(request, side, mask, names) for side in (node.left, node.right))
    if right.selected and (isinstance(node.op, ast.Div) or (left.selected and isinstance(node.op, ast.Mult))):
        raise NotFixable("a product or quotient of selected elements may have no finite slope where the mask is off")
    texts = [f"({side.text})" if isinstance(part, ast.BinOp) and not isinstance(node.op, ast.Add) else side.text
             for part, side in ((node.left, left), (node.right, right))]  # fmt: skip
    return Unmasked(f"{texts[0]} {OPERATORS[type(node.op)]} {texts[1]}", (*left.tensors, *right.tensors))


def is_elementwise(request: FixRequest, node: ast.AST | None, inner: ast.expr) -> bool:
    """Whether an expression computes each element from the same element of `inner`."""
    if isinstance(node, ast.BinOp):
        return type(node.op) in OPERATORS or (node.left is inner and _is_exponent(request, node.right))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub)
    split = operation(request, node) if isinstance(node, ast.Call) and not node.keywords else None
    return (
        split is not None
        and split[0] in SMOOTH
        and split[1][0] is inner
        and _elementwise_arguments(request, split[0], split[1][1:])
    )


def same_shape(request: FixRequest, a: ast.expr, b: ast.expr) -> None:
    """Raise NotFixable unless two plain tensors are known to have one shape."""
    if not is_pure(request, a) or not is_pure(request, b):
        raise NotFixable("the mask or the tensor is not a plain value")
    left, right = likeness(request, a), likeness(request, b)
    if left is None or right is None or left.shape != right.shape:
        raise NotFixable("the mask is not known to have the shape of the tensor")
