"""A pass over the calls of all regions: constructors of modules that Dynamo starts by themselves.

If a constructor breaks, Dynamo runs it outside the graph, and breaks at its first use of the module. The constructors
that it calls run outside the graph too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from breaklint.interp.context import Context
from breaklint.interp.events import OwnFrame
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.lattice import UNKNOWN
from breaklint.interp.record import Record
from breaklint.project.module import FunctionInfo
from breaklint.rules.call_graph import CallGraph
from breaklint.rules.call_paths import Conditions, fewer
from breaklint.rules.frame_ends import starts_module


class Place(NamedTuple):
    """The conditions of a break in a call; `once`: only the call that fills a cache reaches it."""

    conditions: Conditions
    once: bool


def module_starts(
    interp: AbstractInterpreter, breaks: Iterable[tuple[Record, Place]], graph: CallGraph
) -> Iterator[OwnFrame]:
    """The first use of the module in each constructor that breaks, and in each that such a constructor calls."""
    constructors = {site.record for site in graph.sites if starts_module(interp.project, site.callee)}
    if not constructors:
        return
    graph = graph.certain

    def started(record: Record, place: Place) -> Iterator[tuple[Record, Place]]:
        for site in graph.callees.get(record, ()) if record in constructors else ():
            if site.record in constructors:
                yield site.record, Place(place.conditions + site.context.conditions, place.once)

    broken = [pair for pair in with_callers(breaks, graph).items() if pair[0] in constructors]
    for record, place in _spread(broken, started).items():
        function = graph.functions[record]
        use = _first_use(function)
        if function is not None and use is not None:
            context = Context(fills_cache=place.once, conditions=place.conditions)
            yield OwnFrame(use, Frame(interp, function.module, function, {"self": UNKNOWN}, context, record))


def with_callers(breaks: Iterable[tuple[Record, Place]], graph: CallGraph) -> dict[Record, Place]:
    """The calls with breaks, and all that reach one."""

    def callers(record: Record, place: Place) -> Iterator[tuple[Record, Place]]:
        for site in graph.callers.get(record, ()):
            yield site.frame.record, Place(site.context.conditions + place.conditions, place.once)

    return _spread(breaks, callers)


def _spread(
    places: Iterable[tuple[Record, Place]], neighbours: Callable[[Record, Place], Iterator[tuple[Record, Place]]]
) -> dict[Record, Place]:
    """The places of some calls and of all that are reached from them, each with the fewest conditions."""
    result: dict[Record, Place] = {}
    todo = [*places]
    for record, place in todo:  # grows meanwhile
        conditions = fewer(result[record].conditions if record in result else None, place.conditions)
        if conditions is not None:
            result[record] = Place(conditions, place.once)
            todo += neighbours(record, result[record])
    return result


def _first_use(function: FunctionInfo | None) -> ast.expr | None:
    """The first call of a base class's constructor, or attribute of `self`, in a constructor."""
    uses: list[ast.expr] = []
    if function is not None:
        uses += (call for call in function.nodes.of(ast.Call) if _is_init(call.func))
        uses += (node for node in function.nodes.of(ast.Attribute) if _is_of_self(node))
    return min(uses, key=lambda node: (node.lineno, node.col_offset), default=None)


def _is_init(callee: ast.expr) -> bool:
    return isinstance(callee, ast.Attribute) and callee.attr == "__init__"


def _is_of_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"
