"""When selecting between two computed values is the same as computing one: values, gradients and aliases."""

from __future__ import annotations

import ast

from breaklint.analysis.values import Const, Shape, Size, Static, Tensor
from breaklint.fixes.base import FixRequest
from breaklint.fixes.likeness import operation
from breaklint.fixes.newness import is_new
from breaklint.fixes.purity import is_pure

BOTH = "both sides are computed: "
LIKE_ANOTHER = frozenset("type_as expand_as view_as reshape_as to".split())  # the others only say how
PIECEWISE_LINEAR = frozenset({"neg", "relu"})


def doubt(request: FixRequest, test: ast.expr, sides: list[ast.expr], keeps: bool) -> str:
    """Why torch.where may differ from the branch, "" when it cannot. `keeps`: the other side is the name as it was."""
    for side in sides:
        if not _linear(request, side):
            return (
                BOTH
                + "an infinity or NaN in the side that is not taken reaches the gradient, and an error in it is raised"
            )
    roots = [_roots(request, side) for side in sides]
    if keeps or len(set(map(frozenset, roots))) != 1 or not roots[0]:
        return BOTH + "an input that only one of them uses gets a gradient of zeros instead of none"
    if not all(_made_here(request, side, test) for side in sides):
        return "the result is a new tensor where one side gave an existing one"
    if not _roots(request, test) & _origins(request, roots[0]):
        return BOTH + "the condition must be on the same device as the values"
    return ""


def _linear(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression of one float tensor has a bounded, constant or switched slope, so that 0 * slope is 0."""
    value = request.value(node)
    if not isinstance(value, Tensor) or value.dtype != "float":
        return False
    if isinstance(node, ast.Name):
        return True
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _linear(request, node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        return _scaled(request, node.left, node.right) or _scaled(request, node.right, node.left)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return _scaled(request, node.left, node.right)
    if isinstance(node, ast.Call):
        split = operation(request, node)
        return (
            split is not None
            and split[0] in PIECEWISE_LINEAR
            and len(split[1]) == 1
            and not node.keywords
            and _linear(request, split[1][0])
        )
    return False


def _scaled(request: FixRequest, tensor: ast.expr, number: ast.expr) -> bool:
    value = request.value(number)
    finite = isinstance(value, Const) and isinstance(value.value, (int, float)) and 1e-3 <= abs(value.value) <= 1e3
    return finite and _linear(request, tensor)


def _roots(request: FixRequest, node: ast.expr) -> set[str]:
    """The local names of tensors that an expression reads."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(request.value(n), Tensor)}


def _origins(request: FixRequest, names: set[str]) -> set[str]:
    """The names, and those that their definitions read."""
    found, waiting = set(names), list(names)
    while waiting:
        for store in request.scope.stores(waiting.pop()):
            statement = request.scope.statement(store)
            value = getattr(statement, "value", None)
            new = _roots(request, value) - found if isinstance(value, ast.expr) else set()
            found |= new
            waiting += new
    return found


def _made_here(request: FixRequest, node: ast.expr, test: ast.expr) -> bool:
    """Whether a value is a new tensor, or a local one that was computed here and that nothing else can reach."""
    if not isinstance(node, ast.Name):
        return True
    value = request.scope.definition(node.id, node).value
    split = operation(request, value) if isinstance(value, ast.Call) else None
    new = isinstance(value, (ast.BinOp, ast.UnaryOp)) or (split is not None and split[0] in NEW)
    choice = request.scope.statement(test)
    return new and choice is not None and _private(request, node.id, choice)


def _private(request: FixRequest, name: str, choice: ast.stmt) -> bool:
    """Whether a name is read for nothing but arithmetic before the choice, and not at all behind it."""
    place = request.scope.block(choice)
    end = choice.end_lineno or choice.lineno
    if place is not None and place[1] + 1 < len(place[0]) and isinstance(place[0][place[1] + 1], ast.Return):
        following = place[0][place[1] + 1]
        end = following.end_lineno or end if isinstance(choice, ast.If) else end
    looped = any(isinstance(around, (ast.For, ast.While)) for around in request.scope.parents(choice))
    reads = request.scope.loads(name)
    early = [read for read in reads if read.lineno < choice.lineno]
    plain = all(isinstance(request.scope.parent(read), (ast.BinOp, ast.Compare, ast.UnaryOp)) for read in early)
    return plain and not looped and all(read.lineno <= end for read in reads)


def needs_no_gradient(request: FixRequest, node: ast.expr) -> bool:
    """Whether a value is a tensor that surely needs no gradient, or no tensor: nothing it is computed from has one."""
    value = request.value(node)
    if isinstance(value, (Const, Static, Size, Shape)):
        return True
    if isinstance(value, Tensor) and not value.assumed and value.dtype in ("bool", "int"):
        return True
    if isinstance(node, ast.Name):
        made = request.scope.definition(node.id, node).statement
        return isinstance(made, ast.Assign) and needs_no_gradient(request, made.value)
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Tuple, ast.List)):
        parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        return all(needs_no_gradient(request, part) for part in parts)
    return isinstance(node, ast.Call) and _called_without_gradient(request, node)


def _called_without_gradient(request: FixRequest, call: ast.Call) -> bool:
    if is_new(request, call):
        return True
    split = operation(request, call)
    named = any(isinstance(request.value(keyword.value), Tensor) for keyword in call.keywords)
    if split is None or named or not is_pure(request, call):
        return False
    computed_with = split[1][:1] if split[0] in LIKE_ANOTHER else split[1]
    return all(needs_no_gradient(request, part) for part in computed_with)


NEW = frozenset(
    "tanh sigmoid relu exp log sqrt sin cos matmul mm bmm softmax gelu silu mul add sub div neg abs clone".split()
)
