"""The paths by which calls of all regions reach a place, and their conditions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from breaklint.interp.context import UNCERTAIN_BLOCKS, Condition
from breaklint.interp.interpreter import CallSite
from breaklint.interp.record import Record

Conditions = tuple[Condition, ...]


class CallPaths:
    """The conditions under which each call is made: the fewest on any path from the start of tracing.

    `roots` are the calls that also count as made from outside.
    """

    def __init__(self, sites: Sequence[CallSite], roots: Iterable[Record] = ()) -> None:
        from_callers: dict[Record, list[CallSite]] = {}
        for site in sites:
            from_callers.setdefault(site.frame.record, []).append(site)
        self._callees = {site.record for site in sites}
        self._fewest: dict[Record, Conditions] = dict.fromkeys(roots, ())
        self._fewest |= {record: () for record in from_callers if record not in self._callees}
        todo = list(self._fewest)
        while todo:
            caller = todo.pop()
            for site in from_callers.get(caller, ()):
                if not UNCERTAIN_BLOCKS.isdisjoint(site.context.blocks):
                    continue
                conditions = self._fewest[caller] + site.context.conditions
                fewest = self._fewest.get(site.record)
                if fewest is None or len(conditions) < len(fewest):
                    self._fewest[site.record] = conditions
                    todo.append(site.record)

    def fewest(self, places: Iterable[tuple[Record, Conditions]]) -> Conditions | None:
        """The smallest set of conditions under which one of these places is reached: a call, and its conditions.

        None when none is: it takes an exception to get there.
        """
        result: Conditions | None = None
        for record, conditions in places:
            before = self._fewest.get(record, None if record in self._callees else ())
            if before is not None and (result is None or len(before) + len(conditions) < len(result)):
                result = before + conditions
        return result
