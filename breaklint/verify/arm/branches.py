"""Watch which way branches go, and search for inputs that go the other way.

A rewritten branch is proven only if both of its sides ran: `torch.where` in place of an `if` may be right for the side
that the given inputs take and wrong for the other.
"""

from __future__ import annotations

import ast
import builtins
import operator
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import torch

from breaklint.verify.arm.time_limit import OutOfTime
from breaklint.verify.arm.variants import tensors_in

Rows = tuple[str, int, int]
"""A file, and the first and last row of what a fix rewrites there."""
Place = tuple[str, int, int]
"""A file, and row and column of a branch's test."""

_HOOK, _COMPARISON = "__breaklint_outcome__", "__breaklint_comparison__"
# By hand: the classes of `ast` and the names of `operator` are spelled in ways of their own.
_OPERATORS = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne"}
"""The comparisons of which two numbers that are equal are the boundary, by their names in `operator`."""
MOST_SIDES = 8
"""So many times a comparison's sides are noted in one call."""
GIVEN = "the given inputs"
AROUND_S = 5.0
"""Seconds for inputs that take the other side of branches around what is changed."""


@dataclass
class Branch:
    """A branch, and by which inputs each of its outcomes was reached; `settled` are those with a finite result."""

    place: Place
    reached: dict[bool, str] = field(default_factory=dict)
    settled: set[bool] = field(default_factory=set)


@dataclass
class Seen:
    """What one call did: outcomes of branches, both sides of comparisons, and whether all that came out is finite."""

    outcomes: set[tuple[Place, bool]] = field(default_factory=set)
    sides: dict[Place, list[tuple[Any, Any]]] = field(default_factory=dict)
    finite: bool = False


def instrumented(text: str, path: str, watch: Iterable[Rows]) -> ast.Module:
    """The syntax tree of a file in which branches on the watched rows tell their outcome, comparisons their sides."""
    rows = [(start, end) for file, start, end in watch if file == path]
    tree = ast.parse(text, path)
    _Teller(path, rows).visit(tree)
    return ast.fix_missing_locations(tree)


class _Teller(ast.NodeTransformer):
    def __init__(self, path: str, rows: list[tuple[int, int]]) -> None:
        self._path, self._rows = path, rows

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert) and self._is_watched(node):
            place = ast.Tuple([ast.Constant(part) for part in self._place(node.test)], ast.Load())
            call = ast.Call(ast.Name(_HOOK, ast.Load()), [place, node.test], [])
            node.test = ast.copy_location(call, node.test)
        if isinstance(node, ast.Compare) and self._is_watched(node) and type(node.ops[0]) in _OPERATORS:
            named = _OPERATORS[type(node.ops[0])]
            return self._compared(node, named, node.left, node.comparators[0]) if len(node.ops) == 1 else node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and self._is_watched(node):
            called, arguments = node.func, node.args
            if called.attr in _OPERATORS.values() and len(arguments) in (1, 2) and not node.keywords:
                return self._compared(node, f".{called.attr}", called.value, *arguments)
        return node

    def _compared(self, node: ast.expr, named: str, *operands: ast.expr) -> ast.expr:
        """`named` is a function of `operator`, or after a point a method of the first operand."""
        place = ast.Tuple([ast.Constant(part) for part in self._place(node)], ast.Load())
        arguments = [place, ast.Constant(named), *operands]
        return ast.copy_location(ast.Call(ast.Name(_COMPARISON, ast.Load()), arguments, []), node)

    def _is_watched(self, node: ast.stmt | ast.expr) -> bool:
        """Does a part of it lie on the rows? Of a branch that holds them, it takes certain inputs to get there."""
        return any(start <= (node.end_lineno or node.lineno) and node.lineno <= end for start, end in self._rows)

    def _place(self, test: ast.expr) -> Place:
        return self._path, test.lineno, test.col_offset


def search(
    run: Callable[[Any], object],
    candidates: Iterable[tuple[str, Any]],
    places: Iterable[Place],
    around: Collection[Place] = (),
) -> tuple[list[Branch], dict[str, Any]]:
    """Run the watched model on one candidate after another until every branch has gone both ways, with finite results.

    Args:
        run: calls the model, whose files were loaded with `watch`, with a candidate's arguments.
        candidates: arguments by name.
        places: the branches that are watched.
        around: those of them in which only something is changed, which are worth `AROUND_S` seconds.

    Returns:
        The branches, and of the candidates those that reached something new.
    """
    found = {place: Branch(place) for place in places}
    telling: dict[str, Any] = {}
    began = time.monotonic()
    for name, call in candidates if found else ():
        is_late = time.monotonic() - began > AROUND_S
        if all(len(branch.settled) == 2 or (is_late and branch.place in around) for branch in found.values()):
            break
        seen = watched_run(run, call)
        for place, outcome in seen.outcomes:
            branch = found.setdefault(place, Branch(place))
            if outcome not in (branch.settled if seen.finite else branch.reached):
                branch.reached[outcome] = name
                telling[name] = call
            if seen.finite:
                branch.settled.add(outcome)
    return list(found.values()), telling


def watched_run(run: Callable[[Any], object], call: Any) -> Seen:
    """What the watched model does with these arguments, as far as it comes: with some it may not end."""
    seen = Seen()

    def tell(place: Place, value: Any) -> bool:
        outcome = bool(value)
        seen.outcomes.add((place, outcome))
        return outcome

    def compare(place: Place, name: str, first: Any, *others: Any) -> Any:
        left, right = (first, *others)[-2:]
        sides = seen.sides.setdefault(place, [])
        if len(sides) < MOST_SIDES and not _is_same(left, right):
            sides.append((left, right))
        return getattr(first, name[1:])(*others) if name.startswith(".") else getattr(operator, name)(left, right)

    setattr(builtins, _HOOK, tell)
    setattr(builtins, _COMPARISON, compare)
    with suppress(Exception, OutOfTime), torch.no_grad():  # inputs that it refuses still tell what they reached
        seen.finite = is_finite(run(call))
    return seen


def _is_same(left: Any, right: Any) -> bool:
    """Are both sides one place in memory? They are equal whatever the inputs."""
    tensors = isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor)
    return left is right or (tensors and left.data_ptr() == right.data_ptr() != 0)


def is_finite(tree: Any) -> bool:
    """Are all numbers in the tensors of a tree finite?"""
    return all(bool(tensor.isfinite().all()) for tensor in tensors_in(tree))


def watched_places(trees: Iterable[ast.Module]) -> tuple[list[Place], list[Place]]:
    """The branches that instrumented files report, and the comparisons."""
    found: dict[str, list[Place]] = {_HOOK: [], _COMPARISON: []}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in found:
                place = ast.literal_eval(node.args[0])
                found[node.func.id].append((place[0], place[1], place[2]))
    return sorted(set(found[_HOOK])), sorted(set(found[_COMPARISON]))
