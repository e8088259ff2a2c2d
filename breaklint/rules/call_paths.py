"""The paths by which calls of all regions reach a place, and their conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from breaklint.interp.context import UNCERTAIN_BLOCKS, Condition
from breaklint.interp.record import Record
from breaklint.project.module import FunctionInfo
from breaklint.rules.call_graph import CallGraph

Conditions = tuple[Condition, ...]


class CallPaths:
    """The conditions under which each call is made: the fewest on any path from the start of tracing.

    `roots` are the calls that also count as made from outside, with their conditions. A path from an entry point that
    is compiled in any case precedes one from a public function.
    """

    def __init__(self, graph: CallGraph, roots: Mapping[Record, Conditions]) -> None:
        self._graph = graph
        self._fewest: dict[Record, Conditions] = {record: () for record in graph.callees if record not in graph.callers}
        self._fewest |= roots
        todo = list(self._fewest)
        while todo:
            caller = todo.pop()
            for site in graph.callees.get(caller, ()):
                if not UNCERTAIN_BLOCKS.isdisjoint(site.context.blocks):
                    continue
                conditions = self._fewest[caller] + site.context.conditions
                fewest = fewer(self._fewest.get(site.record), conditions)
                if fewest is not None:
                    self._fewest[site.record] = fewest
                    todo.append(site.record)

    def reached(self) -> set[FunctionInfo]:
        """The functions that code calls, with their defaults, which is compiled in any case."""
        records = self._graph.callers.keys() & self._fewest.keys()
        certain = (record for record in records if not public_function(self._fewest[record]))
        sites = (site for record in certain for site in self._graph.callers[record])
        return {site.callee for site in sites if site.leaves_defaults}

    def fewest(self, places: Iterable[tuple[Record, Conditions]]) -> Conditions | None:
        """The smallest set of conditions under which one of these places is reached: a call, and its conditions.

        None when none is: it takes an exception to get there.
        """
        result: Conditions | None = None
        for record, conditions in places:
            before = self._fewest.get(record, None if record in self._graph.callers else ())
            shorter = None if before is None else fewer(result, before + conditions)
            result = result if shorter is None else shorter
        return result


def public_function(conditions: Conditions) -> str:
    """The public function that users of a package have to compile for some conditions to hold; "" for none."""
    return conditions[0].public_function if conditions else ""


def _rank(conditions: Conditions) -> tuple[bool, int]:
    return public_function(conditions) != "", len(conditions)


def fewer(before: Conditions | None, after: Conditions) -> Conditions | None:
    """The conditions of a place that a second path reaches, None if they are not fewer than before: those of the
    shorter path, or those of two paths for both outcomes of a test, without the test."""
    if before is None or _rank(after) < _rank(before):
        return after
    if _rank(after) == _rank(before):
        differing = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
        if len(differing) == 1:
            one, other = differing[0]
            if one.test is other.test and one.case is other.case and one.outcome is not other.outcome:
                return tuple(condition for condition in before if condition is not one)
    return None
