"""A pass over the calls of all regions: calls of the project into an installed package that breaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from breaklint.interp.context import UNCERTAIN_BLOCKS, Context
from breaklint.interp.interpreter import CallSite
from breaklint.interp.record import Record
from breaklint.rules.call_graph import CallGraph
from breaklint.rules.call_paths import Conditions, fewer

Break = TypeVar("Break")
# Undecided tests in a package. A break under more conditions is a special case of the package, such as a compressed
# sparse tensor or images of integers: measured, few calls reach it.
MAX_CONDITIONS: Final = 2


def library_breaks(
    places: Iterable[tuple[Record, Conditions, Break]], graph: CallGraph
) -> Iterator[tuple[Break, CallSite, Context]]:
    """The calls in the project's code that reach a break in a package.

    `places` are breaks with their calls and conditions. If a call reaches several, the one with the fewest conditions
    is reported, unless these are many; the context includes conditions in the packages.
    """
    fewest: dict[Record, tuple[Conditions, Break]] = {}
    for record, conditions, result in places:
        if record not in fewest or len(conditions) < len(fewest[record][0]):
            fewest[record] = conditions, result
    todo = list(fewest)
    while todo:
        record = todo.pop()
        inner, result = fewest[record]
        for site in graph.callers.get(record, ()):
            if not site.frame.module.installed or not UNCERTAIN_BLOCKS.isdisjoint(site.context.blocks):
                continue
            conditions, caller = site.context.conditions + inner, site.frame.record
            fewest_there = fewer(fewest[caller][0] if caller in fewest else None, conditions)
            if fewest_there is not None:
                fewest[caller] = fewest_there, result
                todo.append(caller)
    for site in graph.sites if fewest else ():
        if site.record in fewest and not site.frame.module.installed and site.node is not None:
            inner, result = fewest[site.record]
            if len(inner) <= MAX_CONDITIONS:
                yield result, site, site.context.under(site.context.conditions + inner)
