"""When selecting between two computed values is the same as computing one: values, gradients and aliases."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from itertools import pairwise

from breaklint.analysis.alias import is_fresh_result
from breaklint.analysis.layouts import is_dense
from breaklint.analysis.purity import is_pure
from breaklint.analysis.shapes import operation, shape_and_dtype
from breaklint.fixes.base import FixRequest
from breaklint.fixes.branches import conditions
from breaklint.fixes.branches.choices import Choice
from breaklint.fixes.branches.saved_values import is_kept, may_change_saved
from breaklint.interp.values import Const, ExternalInstance, Tensor
from breaklint.project.own_names import FUNCTIONS
from breaklint.project.walking import walk

UNBOUNDED = (
    "both sides are computed: an infinity or NaN in the side that is not taken reaches the gradient, "
    "and an error or a warning in it comes up"
)
ZEROS = "an input that only one side uses gets a gradient of zeros instead of none"
EXISTING = "the result is a new tensor where one side gave an existing one"
CHANGED = "where a gradient needs a value that is changed in place later, backward no longer raises"
SWITCHED = "an existing tensor keeps its gradient where gradients have been switched off since, and a new one has none"
DEVICE = "the condition must be on the same device as the values"
SPARSE = "sparse tensors are refused"
RESHAPED = "for a condition of more than one element the error has other words"
REORDERED = "the names are assigned in another order, in which sums of gradients round differently"
CALLING = frozenset({"apply_", "map_", "map2_", "backward", "register_hook"})  # methods that run other code
# No schema tells the slope of a function.
PIECEWISE_LINEAR = frozenset({"neg", "relu"})
ORDERED = ast.Lt | ast.LtE | ast.Gt | ast.GtE


def doubts(request: FixRequest, choice: Choice) -> list[str]:
    """Every way in which torch.where may differ from a choice between two tensors that are alike."""
    sides = [side for side in (choice.body, choice.orelse) if side is not None]
    roots = [_roots(request, side) for side in sides]
    if choice.orelse is None and choice.target:
        roots.append({choice.target})
    for name in set().union(*roots):
        request.limit_uses(name)
    bent = {_bends(request, side) for side in (*sides, *([] if choice.orelse else [None]))}
    found = {
        UNBOUNDED: not all(_linear(request, side, choice.test) for side in sides),
        ZEROS: len(set(map(frozenset, roots))) != 1 or not roots[0] or len(bent) > 1,
        EXISTING: _gives_existing(request, choice, sides),
        CHANGED: may_change_saved(request, choice, sides),
        SWITCHED: not all(_made_in_same_mode(request, name, choice) for name in _existing(choice, sides)),
        SPARSE: not all(is_dense(request, side, choice.test) for side in sides),
        DEVICE: not _roots(request, choice.test) & _origins(request, set().union(*roots)),
    }
    return [*(words for words, holds in found.items() if holds), *test_doubts(request, choice.test)]


def test_doubts(request: FixRequest, test: ast.expr) -> list[str]:
    """Every way in which a condition as a tensor may differ from one that Python asks for its truth."""
    parts = conditions.split(request, test)
    skips = parts.reordered or conditions.may_skip(parts.decided)
    kept = is_kept(request, parts.decided)
    found = {CHANGED: not kept, RESHAPED: conditions.may_hold_more(request, test), conditions.SKIPPED: skips}
    return [words for words, holds in found.items() if holds]


def order_doubts(request: FixRequest, choices: list[Choice]) -> list[str]:
    """What changes because names are chosen one after the other, behind what the branch computes for itself."""
    others = [choice.orelse for choice in choices if choice.orelse is not None]
    reordered = any(request.flow.dominates(later, earlier) for earlier, later in pairwise(others))
    computed = not all(isinstance(statement.value, ast.Constant) for choice in choices for statement in choice.before)
    return [words for words, holds in {REORDERED: reordered, UNBOUNDED: computed}.items() if holds]


def _linear(request: FixRequest, node: ast.expr, test: ast.expr) -> bool:
    """Whether an expression of one float tensor has a bounded, constant or switched slope, so that 0 * slope is 0."""
    value = request.value(node)
    if not isinstance(value, Tensor) or value.dtype != "float":
        return False
    if isinstance(node, ast.Name):
        return True
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _linear(request, node.operand, test)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        return _scaled(request, node.left, node.right, test) or _scaled(request, node.right, node.left, test)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return _scaled(request, node.left, node.right, test)
    if isinstance(node, ast.Call):
        split = operation(request, node)
        return (
            split is not None
            and split[0] in PIECEWISE_LINEAR
            and len(split[1]) == 1
            and not node.keywords
            and (split[0] == "neg" or _never_complex(request, split[1][0], test))
            and _linear(request, split[1][0], test)
        )
    return False


def _bends(request: FixRequest, side: ast.expr | None) -> bool:
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
    finite = isinstance(value, Const) and isinstance(value.value, (int, float)) and 1e-3 <= abs(value.value) <= 1e3
    return finite and _linear(request, tensor, test)


def _roots(request: FixRequest, node: ast.expr) -> set[str]:
    """The local names of tensors that an expression reads."""
    return {n.id for n in walk(node) if isinstance(n, ast.Name) and isinstance(request.value(n), Tensor)}


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


def _gives_existing(request: FixRequest, choice: Choice, sides: list[ast.expr]) -> bool:
    """Whether a side may be a tensor that something else refers to."""
    if not all(isinstance(side, ast.Name) or is_fresh_result(request, side) for side in sides):
        return True
    return not all(
        _is_made(request, request.definition(name, choice.first or choice.test).value)
        and _private(request, name, choice)
        for name in _existing(choice, sides)
    )


def _existing(choice: Choice, sides: list[ast.expr]) -> set[str]:
    """The names whose values a choice may give as they are."""
    names = {side.id for side in sides if isinstance(side, ast.Name)}
    return names | {choice.target} if choice.orelse is None and choice.target else names


def _made_in_same_mode(request: FixRequest, name: str, choice: Choice) -> bool:
    """Whether gradients are surely switched as they were when a local tensor was made: in the same `with` blocks, with
    nothing called in between that could switch them."""
    at = choice.first or choice.test
    made = request.definition(name, at)
    if made.statement is None or _managed(request, made.statement) != _managed(request, at):
        return False
    store = next(iter(made.stores))
    calls = (part for part in walk(request.scope.root) if isinstance(part, ast.Call))
    return all(_keeps_mode(request, call) or not request.flow.may_run_between([call], store, at) for call in calls)


def _managed(request: FixRequest, node: ast.AST) -> list[ast.AST]:
    """What is around a node that may switch gradients: `with` blocks, and functions, which may be decorated."""
    return [
        around for around in request.scope.parents(node) if isinstance(around, (ast.With, ast.AsyncWith, *FUNCTIONS))
    ]


def _keeps_mode(request: FixRequest, call: ast.Call) -> bool:
    module = request.value(call.func)
    of_torch = isinstance(module, ExternalInstance) and module.cls.startswith("torch.nn.")
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    of_tensor = bool(method) and method not in CALLING and isinstance(request.value(call.func.value), Tensor)  # type: ignore[attr-defined]
    return of_torch or of_tensor or is_pure(request, call)


def _is_made(request: FixRequest, value: ast.expr | None) -> bool:
    return value is not None and is_fresh_result(request, value)


def _private(request: FixRequest, name: str, choice: Choice) -> bool:
    """Whether a name is read for nothing but arithmetic before the choice, and not at all behind it."""
    statement = request.scope.statement(choice.test)
    if statement is None or any(isinstance(up, (ast.For, ast.While)) for up in request.scope.parents(statement)):
        return False
    inside = {part for each in (statement, choice.first, choice.last) if each is not None for part in walk(each)}
    reads = [read for read in request.scope.loads(name) if read not in inside]
    early = [read for read in reads if request.flow.may_precede(read, statement)]
    around = [request.scope.parent(read) for read in early]
    plain = all(isinstance(each, (ast.BinOp, ast.Compare)) or _is_new(each) for each in around)
    late = any(read not in early or request.flow.is_later(read) for read in reads)
    return plain and (name == choice.target or not late)


def _is_new(node: ast.AST | None) -> bool:
    """Whether an operator of one operand makes a new tensor: `+t` is t."""
    return isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd)
