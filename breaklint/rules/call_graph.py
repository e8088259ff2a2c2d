"""The calls of the regions of one file, by caller and by callee: one graph for all passes over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from breaklint.interp.context import UNCERTAIN_BLOCKS
from breaklint.interp.interpreter import CallSite
from breaklint.interp.record import Record
from breaklint.project.module import FunctionInfo

Follows = Callable[[CallSite], bool]


def _always(_site: CallSite) -> bool:
    return True


class CallGraph:
    """Calls by their records. `sites` are in the order of tracing."""

    def __init__(self, sites: Sequence[CallSite]) -> None:
        self.sites = sites

    @cached_property
    def callers(self) -> Mapping[Record, Sequence[CallSite]]:
        """The places at which each call is made."""
        result: dict[Record, list[CallSite]] = {}
        for site in self.sites:
            result.setdefault(site.record, []).append(site)
        return result

    @cached_property
    def callees(self) -> Mapping[Record, Sequence[CallSite]]:
        """The calls that each call makes."""
        result: dict[Record, list[CallSite]] = {}
        for site in self.sites:
            result.setdefault(site.frame.record, []).append(site)
        return result

    @cached_property
    def functions(self) -> Mapping[Record, FunctionInfo | None]:
        """The function of each call."""
        result: dict[Record, FunctionInfo | None] = {}
        for site in self.sites:
            result.setdefault(site.frame.record, site.frame.function)
            result.setdefault(site.record, site.callee)
        return result

    @cached_property
    def certain(self) -> CallGraph:
        """The graph of the calls by expressions that run without an exception."""
        certain = (site for site in self.sites if UNCERTAIN_BLOCKS.isdisjoint(site.context.blocks))
        return CallGraph([site for site in certain if site.node is not None])

    def with_callers(self, records: Iterable[Record], follows: Follows = _always) -> dict[Record, None]:
        """Some calls, and all that reach one of them by places that are followed."""
        return _closure(records, lambda at: [site.frame.record for site in self.callers.get(at, ()) if follows(site)])

    def with_callees(self, records: Iterable[Record], follows: Follows = _always) -> dict[Record, None]:
        """Some calls, and all that they reach by places that are followed."""
        return _closure(records, lambda at: [site.record for site in self.callees.get(at, ()) if follows(site)])


def _closure(records: Iterable[Record], neighbours: Callable[[Record], Sequence[Record]]) -> dict[Record, None]:
    result = dict.fromkeys(records)
    todo = list(result)
    for record in todo:  # grows meanwhile
        new = [each for each in neighbours(record) if each not in result]
        result |= dict.fromkeys(new)
        todo += dict.fromkeys(new)
    return result
