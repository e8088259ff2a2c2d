"""Calls of functions that break."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from breaklint.interp.frame import Record
from breaklint.interp.interpreter import CallSite
from breaklint.rules.base import Check, Hit


class CallThatBreaks(Check):
    """A call whose callee has a finding of its own; shown with `--show-callers`. A pass over the calls of all regions."""


def calls_that_break(sites: Iterable[CallSite], broken: set[Record]) -> Iterator[tuple[CallSite, Hit]]:
    """The calls in which the graph breaks, where it breaks in the calls of `broken`: those, and the calls around them."""
    reached, callers = set(broken), dict[Record, list[Record]]()
    sites = list(sites)
    for site in sites:
        callers.setdefault(site.record, []).append(site.frame.record)
    todo = list(broken)
    while todo:
        for caller in callers.get(todo.pop(), ()):
            if caller not in reached:
                reached.add(caller)
                todo.append(caller)
    for site in sites:
        if site.record in reached:
            message = f"`{site.callee.name}` breaks the graph, and with it the graph of this function"
            yield site, Hit(site.node, message)
