"""Record the outcomes of branches, and search for inputs that reach the other outcome.

A rewritten branch is proven only if both of its sides ran: `torch.where` may be right for one side only.
"""

from __future__ import annotations

import ast
import builtins
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import torch

from breaklint.verify.arm.process import OutOfTime
from breaklint.verify.arm.variants import tensors_in

Rows = tuple[str, int, int]
"""A file, and the first and last row of the code that a fix rewrites."""
Place = tuple[str, int, int]
"""A file, and row and column of a branch's test."""
_HOOK = "__breaklint_outcome__"
OWN_INPUTS = "the given inputs"
SEARCH_S = 10.0
"""Seconds for the search."""


@dataclass
class Branch:
    """A branch, the inputs of each outcome, and the outcomes with a finite result."""

    place: Place
    outcomes: dict[bool, str] = field(default_factory=dict)
    finite_outcomes: set[bool] = field(default_factory=set)


def instrument(text: str, path: str, watch: Iterable[Rows]) -> ast.Module:
    """The syntax tree of a file in which the tests of branches on the watched rows report their outcome."""
    tree = ast.parse(text, path)
    _Instrumenter(path, [(start, end) for file, start, end in watch if file == path]).visit(tree)
    return ast.fix_missing_locations(tree)


class _Instrumenter(ast.NodeTransformer):
    def __init__(self, path: str, rows: list[tuple[int, int]]) -> None:
        self._path, self._rows = path, rows

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert) and self._is_watched(node):
            place: list[ast.expr] = [
                ast.Constant(part) for part in (self._path, node.test.lineno, node.test.col_offset)
            ]
            call = ast.Call(ast.Name(_HOOK, ast.Load()), [ast.Tuple(place, ast.Load()), node.test], [])
            node.test = ast.copy_location(call, node.test)
        return node

    def _is_watched(self, node: ast.stmt | ast.expr) -> bool:
        """Whether a part of the node is on the rows; a branch around them needs certain inputs to reach them."""
        return any(start <= (node.end_lineno or node.lineno) and node.lineno <= end for start, end in self._rows)


def watched_places(trees: Iterable[ast.Module]) -> list[Place]:
    """The branches that instrumented files report."""
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    calls = (node for node in nodes if isinstance(node.func, ast.Name) and node.func.id == _HOOK)
    return sorted({ast.literal_eval(node.args[0]) for node in calls})


def search(
    run: Callable[[Any], object], candidates: Iterable[tuple[str, Any]], places: Iterable[Place]
) -> tuple[list[Branch], dict[str, Any]]:
    """Run a watched model on candidates until every branch went both ways: the branches, and the new candidates."""
    branches, new_calls = {place: Branch(place) for place in places}, dict[str, Any]()
    began = time.monotonic()
    for name, call in candidates:
        if all(len(branch.finite_outcomes) == 2 for branch in branches.values()) or time.monotonic() - began > SEARCH_S:
            break
        outcomes, finite = _outcomes(run, call)
        for place, outcome in outcomes:
            branch = branches.setdefault(place, Branch(place))
            if outcome not in (branch.finite_outcomes if finite else branch.outcomes):
                branch.outcomes[outcome] = name
                new_calls[name] = call
            if finite:
                branch.finite_outcomes.add(outcome)
    return list(branches.values()), new_calls


def _outcomes(run: Callable[[Any], object], call: Any) -> tuple[set[tuple[Place, bool]], bool]:
    """The outcomes of branches in a call, until it ends or raises, and whether its result is finite."""
    outcomes, finite = set[tuple[Place, bool]](), False

    def note(place: Place, value: Any) -> bool:
        outcome = bool(value)
        outcomes.add((place, outcome))
        return outcome

    setattr(builtins, _HOOK, note)
    with suppress(Exception, OutOfTime), torch.no_grad():  # rejected inputs still have outcomes
        finite = all(bool(tensor.isfinite().all()) for tensor in tensors_in(run(call)))
    return outcomes, finite


def names_in(text: str, path: str, watch: Iterable[Rows]) -> tuple[set[str], set[str]]:
    """The attributes and the strings that functions on the watched rows, and their callees, read."""
    rows = [(start, end) for file, start, end in watch if file == path]
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    watched = [node for node in functions if any(s <= (node.end_lineno or 0) and node.lineno <= e for s, e in rows)]
    for function in watched:  # which grows
        callees = {_name(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
        watched += [node for node in functions if node.name in callees and node not in watched]
    nodes = [node for function in watched for statement in function.body for node in ast.walk(statement)]
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)}
    strings = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return attributes, {word for word in strings if word.isidentifier()}


def _name(callee: ast.expr) -> str:
    return callee.attr if isinstance(callee, ast.Attribute) else callee.id if isinstance(callee, ast.Name) else ""
