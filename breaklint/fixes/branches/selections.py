"""Queries: may a selection by torch.where between two computed values take the place of a choice of one of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from breaklint.analysis.alias import is_fresh_result
from breaklint.analysis.layouts import is_dense
from breaklint.analysis.purity import is_pure
from breaklint.analysis.queries import Doubt, No, Proof, Query
from breaklint.analysis.shapes import ShapeAndDtype, shape_and_dtype
from breaklint.fixes.base import FixRequest
from breaklint.fixes.branches import conditions, gradients
from breaklint.fixes.branches.choices import Choice
from breaklint.fixes.scalars.scalar_uses import ScalarUses
from breaklint.interp.values import ExternalInstance, Tensor, constant_kind
from breaklint.project.walking import walk

ALIKE = "both values have the same shape and dtype, and are finite wherever their inputs are"
WIDENED = "the two values have different dtypes when they are computed from integers or bools"
A_NUMBER = (
    "a 0-dim tensor of the default dtype takes the place of a Python number: where Python raises it goes on, a power "
    "of an integer below zero raises, and so does a tensor made under inference_mode that is needed for backward"
)
UNBOUNDED = (
    "both sides are computed: an infinity or NaN in the side that is not taken reaches the gradient, "
    "and an error or a warning in it comes up"
)
ZEROS = "an input that only one side uses gets a gradient of zeros instead of none"
EXISTING = "the result is a new tensor where one side gave an existing one"
CHANGED = (
    "where a gradient needs a value that is changed in place later, backward no longer raises, or does where it did not"
)
SWITCHED = "an existing tensor keeps its gradient where gradients have been switched off since, and a new one has none"
UNSCALED = (
    "where a side is not scaled, a second backward raises that did not, and its gradient is no longer the one that "
    "came in"
)
COMPLEX = "of complex numbers, an infinite gradient becomes NaN"
WARNED = "the condition is computed for every name, and may warn for each"
DEVICE = "the condition must be on the same device as the values"
SPARSE = "sparse tensors are refused"
RESHAPED = "for a condition of more than one element the error has other words"
REORDERED = "the names are assigned in another order, in which sums of gradients round differently"
CALLING = frozenset({"apply_", "map_", "map2_", "backward", "register_hook"})  # methods that run other code


def scalar_uses_of(request: FixRequest) -> ScalarUses:
    """What follows a number to its uses; branches that it decides must become selections."""
    return ScalarUses(request, selectable)


def selectable(request: FixRequest, choices: list[Choice]) -> Iterator[Query]:
    """May all these choices become selections?"""
    for choice in choices:
        yield from _selectable(request, choice)
    yield from _in_order(request, choices)


def impure_side(request: FixRequest, choices: list[Choice]) -> str:
    """Why one of the values must not be computed unless it is chosen, "" where all of them may be."""
    for choice in choices:
        for side in _sides(choice):
            if not is_pure(request, side):
                return f"`{_short(request.text(side))}` may do more than give a value, and both sides would run"
    return ""


def _selectable(request: FixRequest, choice: Choice) -> Iterator[Query]:
    sides = _sides(choice)
    if impure := impure_side(request, [choice]):
        yield No(impure)
    if choice.stores and not all(is_fresh_result(request, side) for side in sides):
        yield No("what is stored may be a parameter, or a tensor that something else refers to")
    if len(sides) == 2 and all(_number(request, side) for side in sides):
        yield from _of_numbers(request, choice, sides)
        return
    likes = [shape_and_dtype(request, side) for side in sides]
    if len(sides) == 1:
        assert choice.target is not None
        assert choice.first is not None
        likes.append(_shape_and_dtype_before(request, choice.first, choice.target))
    first, second = likes
    if first is None or second is None or (first.shape, first.dtype) != (second.shape, second.dtype):
        values = [f"`{_short(request.text(side))}`" for side in sides]
        values += [f"`{choice.target}` as it was before"] if len(sides) == 1 else []
        yield No(f"{' and '.join(values)} are not known to be tensors of the same shape and dtype")
    else:
        linear = all(gradients.is_linear(request, side, choice.test) for side in sides)
        yield Doubt(WIDENED) if first.widened != second.widened and not linear else Proof(ALIKE)
        yield from _of_tensors(request, choice, sides, linear)


def _sides(choice: Choice) -> list[ast.expr]:
    return [side for side in (choice.body, choice.orelse) if side is not None]


def _of_numbers(request: FixRequest, choice: Choice, sides: list[ast.expr]) -> Iterator[Query]:
    """Two Python numbers: a 0-dim tensor can take their place where only tensors are computed with it."""
    if _number(request, sides[0]) != _number(request, sides[1]):
        yield No("one value is an integer and the other is not")
    if choice.target == "":
        yield No("the caller may need a Python number")
    if choice.stores:
        yield No("it is stored where other code may need a Python number")
    around = request.scope.parent(choice.test)
    uses = scalar_uses_of(request)
    if choice.target is None:
        assert isinstance(around, ast.IfExp)
        uses.follow(around, False)
    else:
        uses.named(choice.target, False)
    yield Doubt(A_NUMBER)
    yield from _of_test(request, choice.test)


def _of_tensors(request: FixRequest, choice: Choice, sides: list[ast.expr], linear: bool) -> Iterator[Query]:
    """Every way in which torch.where may differ from a choice between two tensors that are alike."""
    roots = [_roots(request, side) for side in sides]
    if choice.orelse is None and choice.target:
        roots.append({choice.target})
    for name in set().union(*roots):
        request.limit_uses(name)
    values: list[ast.expr | str] = [*sides, *([choice.target] if choice.orelse is None and choice.target else [])]
    bent = {gradients.bends(request, side) for side in (*sides, *([] if choice.orelse else [None]))}
    yield from _doubts(
        {
            UNBOUNDED: not linear,
            UNSCALED: linear and not all(gradients.is_scaled(request, each, choice.at) for each in values),
            COMPLEX: linear and not all(gradients.is_real(request, side, choice.test) for side in sides),
            ZEROS: len(set(map(frozenset, roots))) != 1 or not roots[0] or len(bent) > 1,
            EXISTING: _gives_existing(request, choice, sides),
            CHANGED: gradients.may_change_saved(request, choice, values),
            SWITCHED: not all(_made_in_same_mode(request, name, choice) for name in _existing(choice, sides)),
            SPARSE: not all(is_dense(request, side, choice.test) for side in sides),
            DEVICE: not _roots(request, choice.test) & _origins(request, set().union(*roots)),
        }
    )
    yield from _of_test(request, choice.test)


def _of_test(request: FixRequest, test: ast.expr) -> Iterator[Query]:
    """Every way in which a condition as a tensor may differ from one that Python asks for its truth."""
    parts = conditions.split(request, test)
    yield from _doubts(
        {
            CHANGED: not gradients.is_kept(request, parts.decided),
            RESHAPED: conditions.may_hold_more(request, test),
            conditions.SKIPPED: parts.reordered or conditions.may_skip(parts.decided),
        }
    )


def _in_order(request: FixRequest, choices: list[Choice]) -> Iterator[Query]:
    """What changes because names are chosen one after the other, behind what the branch computes for itself."""
    others = [choice.orelse for choice in choices if choice.orelse is not None]
    computed = not all(isinstance(statement.value, ast.Constant) for choice in choices for statement in choice.before)
    yield from _doubts(
        {
            WARNED: len(choices) > 1 and conditions.may_warn(request, choices[0].test),
            REORDERED: any(request.flow.dominates(later, earlier) for earlier, later in pairwise(others)),
            UNBOUNDED: computed,
        }
    )


def _doubts(holding: dict[str, bool]) -> Iterator[Query]:
    return (Doubt(words) for words, holds in holding.items() if holds)


def _number(request: FixRequest, node: ast.expr) -> str:
    """The kind of a Python number that no tensor's data reaches."""
    kind = constant_kind(request.value(node))
    return kind if kind in ("int", "float") else ""


def _shape_and_dtype_before(request: FixRequest, branch: ast.stmt, name: str) -> ShapeAndDtype | None:
    """The shape and dtype of what a name holds before a branch."""
    definition = request.definition(name, branch)
    if definition.value is not None:
        found = shape_and_dtype(request, definition.value)
        if found is not None:
            return found
    if definition.is_outer or definition.value is not None:
        origin = (name, definition.version)
        return ShapeAndDtype(origin, origin)
    return None


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
        _is_made(request, request.definition(name, choice.at).value) and _private(request, name, choice)
        for name in _existing(choice, sides)
    )


def _existing(choice: Choice, sides: list[ast.expr]) -> set[str]:
    """The names whose values a choice may give as they are."""
    names = {side.id for side in sides if isinstance(side, ast.Name)}
    return names | {choice.target} if choice.orelse is None and choice.target else names


def _made_in_same_mode(request: FixRequest, name: str, choice: Choice) -> bool:
    """Whether gradients are surely switched as they were when a local tensor was made: in the same `with` blocks, with
    nothing called in between that could switch them."""
    at = choice.at
    made = request.definition(name, at)
    if made.statement is None or request.managed(made.statement) != request.managed(at):
        return False
    store = next(iter(made.stores))
    calls = (part for part in walk(request.scope.root) if isinstance(part, ast.Call))
    return all(_keeps_mode(request, call) or not request.flow.may_run_between([call], store, at) for call in calls)


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


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"
