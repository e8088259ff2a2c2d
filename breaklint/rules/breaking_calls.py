"""Passes over the calls of all regions: the calls that reach a graph break."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from breaklint.interp.context import UNCERTAIN_BLOCKS, Context
from breaklint.interp.events import BreakingCall, NewObjectCall
from breaklint.interp.interpreter import CallSite
from breaklint.interp.lattice import UNKNOWN, options
from breaklint.interp.objects import Instance
from breaklint.interp.record import Record
from breaklint.project.walking import dotted_name
from breaklint.rules.call_paths import Conditions
from breaklint.rules.frame_ends import SKIPPING, blocks_around


def breaking_calls(sites: Sequence[CallSite], broken: set[Record]) -> Iterator[tuple[BreakingCall, Context]]:
    """The calls in which the graph breaks, with their contexts; `broken` are the calls with a break of their own."""
    callers = dict[Record, list[Record]]()
    for site in sites:
        callers.setdefault(site.record, []).append(site.frame.record)
    reached, todo = set(broken), list(broken)
    while todo:
        new = [caller for caller in callers.get(todo.pop(), ()) if caller not in reached]
        reached.update(new)
        todo += new
    for site in sites:
        if site.record in reached and site.node is not None:
            yield BreakingCall(site.node, site.frame, site.callee.name), site.context


def new_object_calls(
    places: Iterable[tuple[Record, Conditions, int]], sites: Sequence[CallSite]
) -> Iterator[tuple[NewObjectCall, Context]]:
    """The calls of methods of new objects in which the graph breaks, with their contexts.

    `places` are breaks: the call, the conditions and the line. Dynamo cannot put the method on the stack of the code
    that follows, and gives up the frame. After an earlier break the object is a local variable.
    """
    candidates = [site for site in sites if _is_method_of_new_object(site)]
    if not candidates:
        return
    callers: dict[Record, list[CallSite]] = defaultdict(list)
    for site in sites:
        if site.node is not None and UNCERTAIN_BLOCKS.isdisjoint(site.context.blocks):
            callers[site.record].append(site)
    fewest: dict[Record, Conditions] = {}
    rows: dict[Record, set[int]] = defaultdict(set)  # the lines of a call that break, or call what breaks
    todo = [*places]
    for record, conditions, row in todo:  # grows meanwhile
        rows[record].add(row)
        if record in fewest and len(fewest[record]) <= len(conditions):
            continue
        fewest[record] = conditions
        for site in callers[record]:
            assert site.node is not None
            todo.append((site.frame.record, site.context.conditions + conditions, site.node.lineno))
    for site in candidates:
        assert site.node is not None
        if site.record in fewest and not any(_since(site) <= row < site.node.lineno for row in rows[site.frame.record]):
            call = NewObjectCall(site.node, site.frame, site.callee.name)
            yield call, site.context.under(site.context.conditions + fewest[site.record])


def _is_method_of_new_object(site: CallSite) -> bool:
    """Whether a call that Dynamo can resume at is of a method of an object that the function holds in a variable, or
    has just created; other objects are loaded again."""
    holder, function = _holder(site), site.frame.function
    if function is None or site.callee.cls is None or not SKIPPING.keys().isdisjoint(blocks_around(site)):
        return False
    if site.frame.module.installed or not isinstance(holder, (ast.Name, ast.Call)):
        return False
    if isinstance(holder, ast.Name) and any(holder.id == argument.arg for argument in function.nodes.of(ast.arg)):
        return False
    assert isinstance(site.node, ast.Call)
    assert isinstance(site.node.func, ast.Attribute)
    if site.callee.name.rpartition(".")[2] != site.node.func.attr:
        return False  # the attribute is an object that calls it: of `singledispatchmethod`
    owners = options(site.frame.interp.values.get(site.node.func.value, UNKNOWN))
    is_new = bool(owners) and all(isinstance(owner, Instance) and not owner.outside for owner in owners)
    return is_new and not any(dotted_name(decorator) == "classmethod" for decorator in site.callee.decorators)


def _holder(site: CallSite) -> ast.expr | None:
    """The variable or call that the object of a called method comes from."""
    if not isinstance(site.node, ast.Call) or not isinstance(site.node.func, ast.Attribute):
        return None
    node = site.node.func.value
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def _since(site: CallSite) -> int:
    """The line on which the function binds the variable of a new object."""
    assert site.node is not None
    assert site.frame.function is not None
    holder, row = _holder(site), site.node.lineno
    if not isinstance(holder, ast.Name):
        return row
    names = (name for name in site.frame.function.nodes.of(ast.Name) if isinstance(name.ctx, ast.Store))
    return max((name.lineno for name in names if name.id == holder.id and name.lineno < row), default=row)
