"""Expressions of selected elements, written for all elements."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from breaklint.analysis.literals import same_code
from breaklint.analysis.pointwise import BINARY, OPERATIONS, SMOOTH, UNARY, gentle
from breaklint.analysis.purity import is_pure
from breaklint.analysis.shapes import operation, shape_and_dtype
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.interp.values import Const, Tensor, constant_kind
from breaklint.project.syntax import method_name
from breaklint.project.walking import children

OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
# No schema says which arguments are bounds.
BOUNDS = frozenset({"clamp", "clip", "clamp_min", "clamp_max"})
ALONE = "breaklint cannot infer that the code treats each selected element separately"
PLAIN = ast.Name | ast.Attribute | ast.Subscript
UNBOUNDED = "a product or quotient of selected elements may not have a finite slope outside the mask"


class Dense(NamedTuple):
    """The source of an expression whose masked reads are whole tensors, and those tensors.

    `at` is the value outside the mask, or None if unknown; `selected` means that it contains selected elements.
    """

    text: str
    tensors: tuple[ast.expr, ...] = ()
    at: float | None = None
    selected: bool = False


@dataclass
class MaskedToDense:
    """Writes elementwise expressions with `x[mask]` as `x`, or, `filled`, as `torch.where(mask, x, 1)`.

    Filled, no infinity or NaN of an element that the mask leaves out reaches the result or a gradient, as long as what
    is computed of 1 is finite. `names` hold selected elements, and will hold all of them, with what they are where the
    mask is off.
    """

    request: FixRequest
    mask: ast.expr
    filled: bool = False
    names: dict[str, float | None] = field(default_factory=dict)

    def of(self, node: ast.expr) -> Dense:
        """An expression for all elements; raises NotFixable unless each is computed from the same elements alone."""
        if isinstance(node, ast.Name) and node.id in self.names:
            return Dense(node.id, (), self.names[node.id], True)
        base = self.base(node)
        if base is not None:
            return self._whole(base)
        if isinstance(node, ast.BinOp) and (type(node.op) in OPERATORS or isinstance(node.op, ast.Pow)):
            return self._arithmetic(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.of(node.operand)
            at = None if inner.at is None else -inner.at
            return Dense(f"-{self.request.code(inner.text)}", inner.tensors, at, inner.selected)
        if _is_number(self.request, node):
            return Dense(self.request.code(node), (), _known(self.request, node))
        if isinstance(node, ast.Call):
            return self._called(node)
        raise NotFixable(ALONE)

    def base(self, node: ast.AST) -> ast.expr | None:
        """The tensor that the mask selects from: `x` of `x[mask]`, `x.masked_select(mask)`."""
        if isinstance(node, ast.Subscript) and self.request.is_same(node.slice, self.mask):
            return node.value if isinstance(self.request.value(node.value), Tensor) else None
        if isinstance(node, ast.Call) and not node.keywords:
            split = operation(self.request, node)
            if split is not None and split[0] == "masked_select" and len(split[1]) == 2:
                return split[1][0] if self.request.is_same(split[1][1], self.mask) else None
        return None

    def _whole(self, base: ast.expr) -> Dense:
        if not self.filled:
            return Dense(self.request.operand(base), (base,), None, True)
        torch, _ = self.request.name_of("torch")
        text = f"{torch}.where({self.request.code(self.mask)}, {self.request.code(base)}, 1)"
        return Dense(text, (base,), 1.0, True)

    def _arithmetic(self, node: ast.BinOp) -> Dense:
        left, right, sign = self.of(node.left), self.of(node.right), OPERATORS.get(type(node.op), "**")
        return _computed(f"{self.request.code(left.text)} {sign} {self.request.code(right.text)}", left, right, sign)

    def _called(self, node: ast.Call) -> Dense:
        split = operation(self.request, node)
        if split is None or not split[1]:
            raise NotFixable(ALONE)
        name, arguments = split
        parts = [self.of(argument) for argument in arguments]
        text = self._text(node, name, parts)
        if name in BOUNDS and len(parts) <= 3 and all(_is_number(self.request, k.value) for k in node.keywords):
            return Dense(text, parts[0].tensors, self._bounded(node, name, parts), parts[0].selected)
        if node.keywords or len(parts) > 2:
            raise NotFixable(ALONE)
        if len(parts) == 2:
            if name != "pow" and name not in BINARY:
                raise NotFixable(ALONE)
            return _computed(text, parts[0], parts[1], BINARY.get(name, "**"))
        at = None if parts[0].at is None or name not in UNARY else gentle(UNARY[name], [parts[0].at])
        if at is None and name not in SMOOTH:
            raise NotFixable(ALONE if name not in UNARY else UNBOUNDED)
        return Dense(text, parts[0].tensors, at, parts[0].selected)

    def _text(self, node: ast.Call, name: str, parts: list[Dense]) -> str:
        """A call of a function or method with other arguments."""
        keywords = [f"{keyword.arg}={self.request.code(keyword.value)}" for keyword in node.keywords]
        if len(node.args) == len(parts):
            return f"{self.request.code(node.func)}({', '.join([*(part.text for part in parts), *keywords])})"
        assert isinstance(node.func, ast.Attribute)
        others = ", ".join([*(part.text for part in parts[1:]), *keywords])
        return f"{self.request.code(parts[0].text)}.{name}({others})"

    def _bounded(self, node: ast.Call, name: str, parts: list[Dense]) -> float | None:
        """The value of a clamp outside the mask."""
        if any(part.selected for part in parts[1:]):
            raise NotFixable(ALONE)
        order = ("max",) if name == "clamp_max" else ("min", "max")
        given = dict(zip(order, (part.at for part in parts[1:]), strict=False))
        given |= {keyword.arg or "": _known(self.request, keyword.value) for keyword in node.keywords}
        if parts[0].at is None or not given.keys() <= {"min", "max"} or None in given.values():
            return None
        low, high = (given.get(side) for side in ("min", "max"))
        value = parts[0].at if low is None else max(parts[0].at, low)
        return value if high is None else min(value, high)


def _computed(text: str, left: Dense, right: Dense, sign: str) -> Dense:
    """Arithmetic of two parts with a finite slope outside the mask."""
    selected = left.selected or right.selected
    known = None if left.at is None or right.at is None else gentle(OPERATIONS[sign], [left.at, right.at])
    plain_power = sign == "**" and not right.selected and right.at is not None and right.at >= 1
    steep = {"/": right.selected, "*": left.selected and right.selected, "**": not plain_power}
    if selected and steep.get(sign) and known is None:
        raise NotFixable(UNBOUNDED if sign != "**" else ALONE)
    return Dense(text, (*left.tensors, *right.tensors), known, selected)


def _is_number(request: FixRequest, node: ast.expr) -> bool:
    return constant_kind(request.value(node)) in ("int", "float") and is_pure(request, node)


def _known(request: FixRequest, node: ast.expr) -> float | None:
    value = request.value(node)
    return float(value.value) if isinstance(value, Const) and isinstance(value.value, (int, float)) else None


def masked_to_dense(request: FixRequest, node: ast.expr, mask: ast.expr) -> Dense:
    """An elementwise expression with `x[mask]` written as `x`, or filled; raises NotFixable for any other."""
    try:
        return MaskedToDense(request, mask).of(node)
    except NotFixable as reason:
        if str(reason) != UNBOUNDED:
            raise
        return MaskedToDense(request, mask, True).of(node)


def is_elementwise(request: FixRequest, node: ast.AST | None) -> bool:
    """Whether an expression may compute each element of its operands or arguments from the same elements."""
    if isinstance(node, ast.BinOp):
        return type(node.op) in OPERATORS or isinstance(node.op, ast.Pow)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub)
    split = operation(request, node) if isinstance(node, ast.Call) else None
    return split is not None and (split[0] in SMOOTH | UNARY.keys() | BINARY.keys() | BOUNDS or split[0] == "pow")


def fits(request: FixRequest, mask: ast.expr, tensors: Sequence[ast.expr]) -> bool:
    """Whether a mask has the inferred shape of one of the tensors that it selects from."""
    if any(_same_shape(request, mask, tensor) for tensor in tensors):
        return True
    named = isinstance(mask, ast.Name) and all(isinstance(item, PLAIN) for item in tensors)
    return named and _is_computed_from(request, mask, tensors)


def _same_shape(request: FixRequest, mask: ast.expr, tensor: ast.expr) -> bool:
    left, right = shape_and_dtype(request, mask), shape_and_dtype(request, tensor)
    if left is not None and right is not None and left.shape == right.shape:
        return True
    dims = [item.ndim for node in (mask, tensor) if (item := request.tensor(node)) is not None]
    return len(dims) == 2 and dims[0] is not None and dims[0] == dims[1]


def _is_computed_from(request: FixRequest, mask: ast.expr, tensors: Iterable[ast.expr]) -> bool:
    """Whether a mask is made of one of the tensors that it selects from, and of others that fit it."""
    result = request.definition(mask.id, mask).value if isinstance(mask, ast.Name) else None
    parts = list(_of_one_shape(request, result)) if result is not None else []
    return any(same_code(tensor, part) for tensor in tensors for part in parts)


def _of_one_shape(request: FixRequest, node: ast.expr) -> Iterator[ast.expr]:
    """An expression, and those that it computes element by element: they are of its shape, or spread over it."""
    yield node
    inside: list[ast.AST] = children(node) if isinstance(node, (ast.Compare, ast.BinOp, ast.UnaryOp)) else []
    if isinstance(node, ast.Call) and request.facts.is_pointwise(method_name(node)):
        inside = [*children(node.func), *node.args]
    for item in inside:
        yield from _of_one_shape(request, item) if isinstance(item, ast.expr) else ()
