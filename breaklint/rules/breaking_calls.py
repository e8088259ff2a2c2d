"""A pass over the calls of all regions: the calls that reach a graph break."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from breaklint.interp.context import Context
from breaklint.interp.events import BreakingCall
from breaklint.interp.interpreter import CallSite
from breaklint.interp.record import Record


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
