"""Watch which way branches go, and search for inputs that go the other way. Runs inside an arm's process.

A rewritten branch is proven only if both of its sides ran: `torch.where` in place of an `if` may be right for the side
that the given inputs take and wrong for the other.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.utils._pytree import tree_flatten

Rows = tuple[str, int, int]
"""A file, and the first and last row of what a fix rewrites there."""
Place = tuple[str, int, int]
"""A file, and row and column of a branch's test."""

_HOOK = "__breaklint_outcome__"
GIVEN = "the given inputs"


@dataclass
class Branch:
    """A branch, and by which inputs each of its outcomes was reached; `settled` are those with a finite result."""

    place: Place
    reached: dict[bool, str] = field(default_factory=dict)
    settled: set[bool] = field(default_factory=set)


def instrumented(text: str, path: str, watch: Iterable[Rows]) -> ast.Module:
    """The syntax tree of a file in which every branch on the watched rows tells its outcome."""
    rows = [(start, end) for file, start, end in watch if file == path]
    tree = ast.parse(text, path)
    _Teller(path, rows).visit(tree)
    return ast.fix_missing_locations(tree)


class _Teller(ast.NodeTransformer):
    def __init__(self, path: str, rows: list[tuple[int, int]]) -> None:
        self._path, self._rows = path, rows

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert) and self._is_watched(node.test):
            place = ast.Tuple([ast.Constant(part) for part in self._place(node.test)], ast.Load())
            call = ast.Call(ast.Name(_HOOK, ast.Load()), [place, node.test], [])
            node.test = ast.copy_location(call, node.test)
        return node

    def _is_watched(self, test: ast.expr) -> bool:
        return any(start <= (test.end_lineno or test.lineno) and test.lineno <= end for start, end in self._rows)

    def _place(self, test: ast.expr) -> Place:
        return self._path, test.lineno, test.col_offset


def search(
    run: Callable[[Any], object], candidates: Iterable[tuple[str, Any]], places: Iterable[Place]
) -> tuple[list[Branch], dict[str, Any]]:
    """Run the watched model on one candidate after another until every branch has gone both ways, with finite results.

    Args:
        run: calls the model, whose files were loaded with `watch`, with a candidate's arguments.
        candidates: arguments by name.
        places: the branches that are watched.

    Returns:
        The branches, and of the candidates those that reached something new.
    """
    found = {place: Branch(place) for place in places}
    telling: dict[str, Any] = {}
    for name, call in candidates:
        if all(len(branch.settled) == 2 for branch in found.values()):
            break
        outcomes, finite = _outcomes(run, call)
        for place, outcome in outcomes:
            branch = found.setdefault(place, Branch(place))
            if outcome not in (branch.settled if finite else branch.reached):
                branch.reached[outcome] = name
                telling[name] = call
            if finite:
                branch.settled.add(outcome)
    return list(found.values()), telling


def _outcomes(run: Callable[[Any], object], call: Any) -> tuple[set[tuple[Place, bool]], bool]:
    """Which way branches went, and whether all that came out is finite."""
    seen: set[tuple[Place, bool]] = set()

    def tell(place: Place, value: Any) -> bool:
        outcome = bool(value)
        seen.add((place, outcome))
        return outcome

    setattr(builtins, _HOOK, tell)
    with suppress(Exception), torch.no_grad():  # inputs that the model refuses still tell what they reached
        return seen, is_finite(run(call))
    return seen, False


def is_finite(tree: Any) -> bool:
    """Are all numbers in the tensors of a tree finite?"""
    leaves = (leaf for leaf in tree_flatten(tree)[0] if isinstance(leaf, torch.Tensor))
    return all(bool(leaf.isfinite().all()) for leaf in leaves)


def watched_places(trees: Iterable[ast.Module]) -> Iterator[Place]:
    """The branches that instrumented files report."""
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == _HOOK:
                place = ast.literal_eval(node.args[0])
                yield place[0], place[1], place[2]
