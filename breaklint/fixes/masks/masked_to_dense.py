"""Expressions of selected elements, written for all elements."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from breaklint.analysis.literals import same_code
from breaklint.analysis.purity import is_pure
from breaklint.analysis.shapes import operation, shape_of
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.interp.values import Const, Tensor, constant_kind
from breaklint.project.syntax import method_name
from breaklint.project.walking import children

OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
# No schema: functions with a finite slope for each finite element, so that its zero weight stays zero.
SMOOTH = frozenset("relu neg tanh sigmoid abs square sin cos".split())
# The operators that Python writes for functions, which no schema names.
BINARY = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "subtract": "-", "multiply": "*", "divide": "/", "true_divide": "/",
    "pow": "**",
}  # fmt: skip
# No schema: the arguments that are bounds.
BOUNDS = frozenset({"clamp", "clip", "clamp_min", "clamp_max"})
ALONE = "breaklint cannot infer that the code treats each selected element separately"
PLAIN = ast.Name | ast.Attribute | ast.Subscript
UNBOUNDED = "a quotient or power of selected elements may not have a finite slope outside the mask"


class Dense(NamedTuple):
    """The source of an expression whose masked reads are whole tensors, and those tensors.

    `selected` means that it contains selected elements.
    """

    text: str
    tensors: tuple[ast.expr, ...] = ()
    selected: bool = False


@dataclass
class MaskedToDense:
    """Writes elementwise expressions with `x[mask]` as `x`.

    `names` are bound to selected elements, and will be bound to all.
    """

    request: FixRequest
    mask: ast.expr
    names: set[str] = field(default_factory=set)

    def of(self, node: ast.expr) -> Dense:
        """An expression for all elements; raises NotFixable unless each is computed from the same elements alone."""
        if isinstance(node, ast.Name) and node.id in self.names:
            return Dense(node.id, (), True)
        base = self.base(node)
        if base is not None:
            return Dense(self.request.operand(base), (base,), True)
        if isinstance(node, ast.BinOp) and (type(node.op) in OPERATORS or isinstance(node.op, ast.Pow)):
            return self._arithmetic(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.of(node.operand)
            return inner._replace(text=f"-{self.request.code(inner.text)}")
        if _is_number(self.request, node):
            return Dense(self.request.code(node))
        if isinstance(node, ast.Call):
            return self._call(node)
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

    def _arithmetic(self, node: ast.BinOp) -> Dense:
        left, right, sign = self.of(node.left), self.of(node.right), OPERATORS.get(type(node.op), "**")
        text = f"{self.request.code(left.text)} {sign} {self.request.code(right.text)}"
        return self._computed(text, left, right, sign, node.right)

    def _call(self, node: ast.Call) -> Dense:
        split = operation(self.request, node)
        if split is None or not split[1]:
            raise NotFixable(ALONE)
        name, arguments = split
        parts = [self.of(argument) for argument in arguments]
        text = self._text(node, name, parts)
        if name in BOUNDS and len(parts) <= 3 and all(_is_number(self.request, k.value) for k in node.keywords):
            if any(part.selected for part in parts[1:]):
                raise NotFixable(ALONE)
            return parts[0]._replace(text=text)
        if node.keywords:
            raise NotFixable(ALONE)
        if len(parts) == 2 and name in BINARY:
            return self._computed(text, parts[0], parts[1], BINARY[name], arguments[1])
        if len(parts) == 1 and name in SMOOTH:
            return parts[0]._replace(text=text)
        raise NotFixable(ALONE)

    def _computed(self, text: str, left: Dense, right: Dense, sign: str, operand: ast.expr) -> Dense:
        """Arithmetic of two parts with a finite slope outside the mask; `operand` is the code of the right one."""
        value = self.request.value(operand)
        power = isinstance(value, Const) and isinstance(value.value, (int, float)) and value.value >= 1
        if (sign == "/" and right.selected) or (sign == "**" and not power):
            raise NotFixable(UNBOUNDED)
        return Dense(text, (*left.tensors, *right.tensors), left.selected or right.selected)

    def _text(self, node: ast.Call, name: str, parts: list[Dense]) -> str:
        """A call of a function or method with other arguments."""
        keywords = [f"{keyword.arg}={self.request.code(keyword.value)}" for keyword in node.keywords]
        if len(node.args) == len(parts):
            return f"{self.request.code(node.func)}({', '.join([*(part.text for part in parts), *keywords])})"
        assert isinstance(node.func, ast.Attribute)
        others = ", ".join([*(part.text for part in parts[1:]), *keywords])
        return f"{self.request.code(parts[0].text)}.{name}({others})"


def _is_number(request: FixRequest, node: ast.expr) -> bool:
    return constant_kind(request.value(node)) in ("int", "float") and is_pure(request, node)


def is_elementwise(request: FixRequest, node: ast.AST | None) -> bool:
    """Whether an expression may compute each element of its operands or arguments from the same elements."""
    if isinstance(node, ast.BinOp):
        return type(node.op) in OPERATORS or isinstance(node.op, ast.Pow)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub)
    split = operation(request, node) if isinstance(node, ast.Call) else None
    return split is not None and (split[0] in SMOOTH | BINARY.keys() | BOUNDS)


def fits(request: FixRequest, mask: ast.expr, tensors: Sequence[ast.expr]) -> bool:
    """Whether a mask has the inferred shape of one of the tensors that it selects from."""
    if any(_same_shape(request, mask, tensor) for tensor in tensors):
        return True
    is_name = isinstance(mask, ast.Name) and all(isinstance(item, PLAIN) for item in tensors)
    return is_name and _is_computed_from(request, mask, tensors)


def _same_shape(request: FixRequest, mask: ast.expr, tensor: ast.expr) -> bool:
    shape = shape_of(request, mask)
    if shape is not None and shape == shape_of(request, tensor):
        return True
    dims = [item.ndim for node in (mask, tensor) if (item := request.tensor(node)) is not None]
    return len(dims) == 2 and dims[0] is not None and dims[0] == dims[1]


def _is_computed_from(request: FixRequest, mask: ast.expr, tensors: Iterable[ast.expr]) -> bool:
    """Whether a mask is computed from one of the tensors that it indexes, and from others of that shape."""
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
