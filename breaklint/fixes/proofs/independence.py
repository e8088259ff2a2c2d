"""Whether what a fix rests on holds whatever some attributes are."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from breaklint.fixes.base import FixRequest
from breaklint.interp.frame import Frame, Visitors
from breaklint.interp.heap import HeapObject
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.lattice import UNKNOWN, Value, options
from breaklint.interp.regions import callers_first, deep_recursion, regions, trace
from breaklint.interp.summaries import alike
from breaklint.interp.values import Compound
from breaklint.project.walking import dotted_name, walk


class _Known(dict[frozenset[str], dict[ast.AST, Value]]):
    """The values of a file's nodes by the attributes of which nothing was known; empty where that cannot be told."""


def holds_without(request: FixRequest, names: frozenset[str], functions: Iterable[ast.AST]) -> bool:
    """Whether all values that the fix asked for are as they were when nothing is known of the attributes `names`.

    `functions` are those that the values come from. The regions of the file are traced once more for this.
    """
    known = request.module.derive(_Known, _Known)
    if names not in known:
        known[names] = _inferred(request, names)
    before, again = request.event.frame.interp.values, known[names]
    same = all(node in before and alike(before[node], again.get(node, UNKNOWN)) for node in request.inferred)
    return same and not any(_may_change(node, again) for function in functions for node in walk(function))


def _inferred(request: FixRequest, names: frozenset[str]) -> dict[ast.AST, Value]:
    first = request.event.frame.interp
    interp = Interpreter(first.project, first.facts, lambda _event: None, first.event_filter)
    interp.visitors = _without(names, interp.visitors)
    with deep_recursion():
        found = callers_first(interp, regions(interp, request.module, request.settings.entry_points))
        given_up = [trace(interp, region) for region in found]
    values = dict(interp.values)
    interp.forget()
    return {} if any(given_up) else values


def _without(names: frozenset[str], visitors: Visitors) -> Visitors:
    """Transfer functions that know nothing of the attributes `names`, by whatever object."""

    def attribute(frame: Frame, node: ast.Attribute) -> Value:
        value = visitors[ast.Attribute](frame, node)
        return UNKNOWN if node.attr in names else value

    def call(frame: Frame, node: ast.Call) -> Value:
        value = visitors[ast.Call](frame, node)
        return UNKNOWN if _reads(node, names) else value

    return {**visitors, ast.Attribute: attribute, ast.Call: call}


def _reads(node: ast.Call, names: frozenset[str]) -> bool:
    """Whether a call is `getattr` of one of the attributes, or of one that is not written out."""
    if dotted_name(node.func) != "getattr" or len(node.args) < 2:
        return False
    name = node.args[1]
    return not isinstance(name, ast.Constant) or name.value in names


def _may_change(node: ast.AST, values: dict[ast.AST, Value]) -> bool:
    """Whether something unknown is given a list or an object, which it may change, as a function or an operand."""
    if isinstance(node, ast.AugAssign):
        return values.get(node.value) is UNKNOWN
    if not isinstance(node, (ast.Call, ast.BinOp, ast.Compare, ast.Subscript)):
        return False
    parts = [part.value if isinstance(part, ast.keyword) else part for part in ast.iter_child_nodes(node)]
    known = [values[part] for part in parts if part in values]
    held = (each for value in known for each in options(value))
    return UNKNOWN in known and any(isinstance(each, (HeapObject, Compound)) for each in held)
