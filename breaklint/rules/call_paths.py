"""The paths by which calls of all regions reach a place, and their conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from breaklint.interp.context import UNCERTAIN_BLOCKS, Condition
from breaklint.interp.interpreter import CallSite
from breaklint.interp.record import Record

Conditions = tuple[Condition, ...]


class CallPaths:
    """The conditions under which each call is made: the fewest on any path from the start of tracing.

    `roots` are the calls that also count as made from outside, with their conditions.
    """

    def __init__(self, sites: Sequence[CallSite], roots: Mapping[Record, Conditions] = {}) -> None:
        from_callers: dict[Record, list[CallSite]] = {}
        for site in sites:
            from_callers.setdefault(site.frame.record, []).append(site)
        self._callees = {site.record for site in sites}
        self._fewest: dict[Record, Conditions] = {record: () for record in from_callers if record not in self._callees}
        self._fewest |= roots
        todo = list(self._fewest)
        while todo:
            caller = todo.pop()
            for site in from_callers.get(caller, ()):
                if not UNCERTAIN_BLOCKS.isdisjoint(site.context.blocks):
                    continue
                conditions = self._fewest[caller] + site.context.conditions
                fewest = fewer(self._fewest.get(site.record), conditions)
                if fewest is not None:
                    self._fewest[site.record] = fewest
                    todo.append(site.record)

    def fewest(self, places: Iterable[tuple[Record, Conditions]]) -> Conditions | None:
        """The smallest set of conditions under which one of these places is reached: a call, and its conditions.

        None when none is: it takes an exception to get there.
        """
        result: Conditions | None = None
        for record, conditions in places:
            before = self._fewest.get(record, None if record in self._callees else ())
            shorter = None if before is None else fewer(result, before + conditions)
            result = result if shorter is None else shorter
        return result


def fewer(before: Conditions | None, after: Conditions) -> Conditions | None:
    """The conditions of a place that a second path reaches, None if they are not fewer than before: those of the
    shorter path, or those of two paths for both outcomes of a test, without the test."""
    if before is None or len(after) < len(before):
        return after
    if len(after) == len(before):
        differing = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
        if len(differing) == 1:
            one, other = differing[0]
            if one.test is other.test and one.case is other.case and one.outcome is not other.outcome:
                return tuple(condition for condition in before if condition is not one)
    return None
