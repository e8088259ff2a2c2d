"""What a selection does to gradients where a choice gave one of two values.

The slopes of both sides count. And what an operation has saved for its gradient may be changed in place later: backward
then raises where an existing value was chosen, and does not where a new one was.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable

from breaklint.analysis.alias import is_fresh_result
from breaklint.analysis.layouts import is_floating
from breaklint.analysis.purity import escapes, name_only_read, only_read
from breaklint.analysis.shapes import of_one_tensor, operation, shape_and_dtype
from breaklint.fixes.base import FixRequest
from breaklint.fixes.branches.choices import Choice
from breaklint.interp.values import Const, Tensor, constant_kind
from breaklint.project.syntax import negated
from breaklint.project.walking import walk

# What saves its operands at most. Others may save their result, as exp and relu do; no schema says which.
LINEAR = (ast.Add, ast.Sub, ast.Mult, ast.Div)
# No schema tells the slope of a function.
PIECEWISE_LINEAR = frozenset({"neg", "relu"})
# What saves its operand or its result for backward; no schema tells.
BENDING = frozenset("exp log relu sigmoid softplus sqrt square tanh".split())
ORDERED = ast.Lt | ast.LtE | ast.Gt | ast.GtE


def is_linear(request: FixRequest, node: ast.expr, test: ast.expr) -> bool:
    """Whether an expression of one tensor of floating numbers has a bounded, constant or switched slope, so that
    0 * slope is 0."""
    value = request.value(node)
    if not isinstance(value, Tensor) or (value.dtype != "float" and not _computes(node)):
        return False  # a quantized tensor is refused by arithmetic, and by torch.where
    return _is_linear(request, node, test)


def _computes(node: ast.expr) -> bool:
    return any(isinstance(part, (ast.BinOp, ast.UnaryOp)) for part in walk(node))


def _is_linear(request: FixRequest, node: ast.expr, test: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        return is_floating(request, node, test)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_linear(request, node.operand, test)
    if isinstance(node, ast.BinOp) and isinstance(node.op, LINEAR):
        swapped = not isinstance(node.op, ast.Div) and _scaled(request, node.right, node.left, test)
        return swapped or _scaled(request, node.left, node.right, test)
    name, tensor = of_one_tensor(request, node)
    if tensor is None or name not in PIECEWISE_LINEAR:
        return False
    return (name == "neg" or _never_complex(request, tensor, test)) and _is_linear(request, tensor, test)


def is_scaled(request: FixRequest, side: ast.expr | str, at: ast.AST) -> bool:
    """Whether what a side, or a name at a node, is made of one tensor by is multiplied, divided or bent on the way: it
    saves something for backward, and its gradient is new."""
    if isinstance(side, (ast.Name, str)):
        made = request.definition(side if isinstance(side, str) else side.id, at).value
        return made is not None and not isinstance(made, ast.Name) and is_scaled(request, made, made)
    if isinstance(side, ast.UnaryOp):
        return is_scaled(request, side.operand, at)
    if isinstance(side, ast.BinOp):
        tensors = [part for part in (side.left, side.right) if isinstance(request.value(part), Tensor)]
        if len(tensors) != 1:
            return False
        return isinstance(side.op, (ast.Mult, ast.Div)) or is_scaled(request, tensors[0], at)
    name, tensor = of_one_tensor(request, side)
    return tensor is not None and (name in BENDING or (name == "neg" and is_scaled(request, tensor, at)))


def is_real(request: FixRequest, side: ast.expr, test: ast.expr) -> bool:
    """Whether a side surely holds no complex numbers, for which a gradient of zeros adds NaN to an infinity."""
    value = request.value(side)
    return (isinstance(value, Tensor) and value.dtype == "float") or _never_complex(request, side, test)


def bends(request: FixRequest, side: ast.expr | None) -> bool:
    """Whether the gradient of a side depends on its input, which then gets a second derivative of zeros."""
    called = [part for part in walk(side) if isinstance(part, ast.Call)] if side is not None else []
    return any((split := operation(request, call)) is not None and split[0] != "neg" for call in called)


def _never_complex(request: FixRequest, node: ast.expr, test: ast.expr) -> bool:
    """Whether the condition raises for complex numbers first, of which relu is not defined: it orders values of the
    same dtype."""
    wanted = shape_and_dtype(request, node)
    compared = [part for part in walk(test) if isinstance(part, ast.Compare) and isinstance(part.ops[0], ORDERED)]
    likes = [shape_and_dtype(request, side) for part in compared for side in (part.left, *part.comparators)]
    return wanted is not None and any(like is not None and _root(like.dtype) == _root(wanted.dtype) for like in likes)


def _root(dtype: Hashable) -> Hashable:
    """The dtype that a reduction's dtype comes from."""
    while isinstance(dtype, tuple) and len(dtype) == 2 and dtype[1] in ("sum", "mean", "max", "min"):
        dtype = dtype[0]
    return dtype


def _scaled(request: FixRequest, tensor: ast.expr, number: ast.expr, test: ast.expr) -> bool:
    value = request.value(number)
    finite = constant_kind(value) in ("int", "float") and isinstance(value, Const) and 1e-3 <= abs(value.value) <= 1e3
    return finite and _is_linear(request, tensor, test)


def is_kept(request: FixRequest, test: ast.expr) -> bool:
    """Whether no statement changes a condition after the choice: the selection needs it as it is for its gradient."""
    if isinstance(test, ast.Compare | ast.BoolOp) or negated(test) is not None:
        return True  # a new tensor is made of it
    if not isinstance(test, ast.Name):
        return is_fresh_result(request, test)
    made = request.definition(test.id, test).value
    own = isinstance(made, ast.Compare) or (made is not None and is_fresh_result(request, made))
    kept = name_only_read(request, test.id) and not any(escapes(request, each) for each in request.scope.loads(test.id))
    return own and kept


def may_change_saved(request: FixRequest, choice: Choice, values: list[ast.expr | str]) -> bool:
    """Whether something may change in place what is chosen, and an operation needs one of the values as it is."""
    return any(_is_saved(request, value, choice) for value in values) and not _stays(request, choice)


def _stays(request: FixRequest, choice: Choice) -> bool:
    """Whether what is chosen is only computed with, and stays in the function."""
    around = request.scope.parent(choice.test)
    if choice.target is None:
        return isinstance(around, ast.IfExp) and only_read(request, around) and not escapes(request, around)
    if not choice.target or choice.stores or not name_only_read(request, choice.target):
        return False
    return not any(escapes(request, load) for load in request.scope.loads(choice.target))


def _is_saved(request: FixRequest, side: ast.expr | str, choice: Choice) -> bool:
    """Whether an operation outside of a choice may need a value of it for a gradient: the one that made it, or one that
    reads it. Sums, products, quotients and negations need what they are made of."""
    if isinstance(side, ast.UnaryOp):
        return not isinstance(side.op, ast.USub)
    if isinstance(side, ast.BinOp):
        return not isinstance(side.op, LINEAR)
    if isinstance(side, ast.Call):
        split = operation(request, side)
        return split is None or split[0] != "neg"
    name = side.id if isinstance(side, ast.Name) else side
    if not isinstance(name, str):
        return True
    at = choice.at
    around = {each for each in (choice.first, choice.last, request.scope.parent(choice.test)) if each is not None}
    early = [load for load in request.scope.loads(name) if request.flow.may_precede(load, at)]
    inside = all(not around.isdisjoint(request.scope.parents(load)) for load in early)
    made = request.definition(name, at).value
    return made is None or isinstance(made, ast.Name) or not inside or _is_saved(request, made, choice)
