"""The costs of the breaks of a file: causes, frames in eager mode, and graphs per entry point."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence, Set
from typing import Final

from breaklint.interp.events import LibraryBreak, OwnFrame
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.record import Record
from breaklint.lint.findings import RawFinding
from breaklint.lint.origins import Origins
from breaklint.model import PUBLIC_FUNCTION, Cause, Cost, EagerCall, Forward
from breaklint.project.module import FunctionInfo
from breaklint.project.spans import source_of, span_of
from breaklint.rules.call_graph import CallGraph
from breaklint.rules.frame_ends import Break, FrameEnds
from breaklint.rules.graphs import Graphs

LONGEST: Final = 100  # characters of the source of a cause
MOST_ENTRIES: Final = 2  # entry points of a cause, whose graphs are counted without it
_OF_VALUES: Final = ("BRK3", "BRK4", "BRK5")  # rules about a value that was computed earlier
_ENTRIES: Final = frozenset({"forward", "__call__"})
MOST_CAUSES: Final = 24  # of one file, whose graphs are counted: a bound on the work


class Costs:
    """The causes and costs of the breaks that were found in the regions of one file; both are stored in `raws`."""

    def __init__(self, interp: Interpreter, graph: CallGraph, raws: Sequence[RawFinding]) -> None:
        breaking = [raw for raw in raws if raw.breaks]
        if breaking:
            _add_causes(interp, breaking)
        splitting = (raw for raw in breaking if not raw.error and not isinstance(raw.event, OwnFrame))
        self._breaks = {raw: raw.places for raw in splitting}
        breaks = [item for breaks in self._breaks.values() for item in breaks]
        graph = graph if breaks else CallGraph(())
        self._ends = FrameEnds(interp.project, graph, breaks)
        assumed = {record for record, region in interp.roots.items() if region.kind == PUBLIC_FUNCTION}
        self._graphs = Graphs(graph, breaks, interp.values, assumed)
        self._counts = {
            root: (self._graphs.count(root, False), self._graphs.count(root, True))
            for root in self._graphs.roots
            if self._graphs.breaking(root)
        }
        self._add_costs()

    def _add_costs(self) -> None:
        graphs, saved = self._graphs, self._saved()
        in_function = Counter(raw.event.frame.function for raw in self._breaks)
        of_cause = Counter((raw.event.frame.function, raw.key) for raw in self._breaks)
        for raw, breaks in self._breaks.items():
            skipped: dict[FunctionInfo, bool] = {}
            for item in breaks:
                for function, is_rest in graphs.skipped(item, self._ends).items():
                    skipped[function] = is_rest and skipped.get(function, True)
            raw.after = self._ended_by(breaks, raw.hit.computed)
            raw.cost = Cost(
                skipped=tuple(f"{'the rest of ' * is_rest}{function.name}" for function, is_rest in skipped.items()),
                hides=sum(in_function[function] - of_cause[function, raw.key] for function in skipped),
                graphs=saved.get(raw.key, 0),
                by_default=not raw.after and any(map(graphs.by_default, breaks)),
                last=in_function[raw.event.frame.function] == 1 and all(map(graphs.alone, breaks)),
            )

    def _ended_by(self, breaks: Sequence[Break], computed: Iterable[ast.Name]) -> str:
        """The source of an earlier break that prevents each of some breaks: it has ended their frame, or the values of
        `computed` are inputs after it. One call of an entry point is enough, because others may have less precise
        arguments."""
        source, ended, goes_on = "", set[Record](), set[Record]()
        for item in breaks:
            function, node = self._ends.before(item) or (item.function, self._ends.making_input(item, computed))
            if node is None or function is None:
                goes_on.add(item.record)
            else:
                ended.add(item.record)
                source = source_of(function.module, node)
        roots = set(self._graphs.roots)
        is_certain = not goes_on or (goes_on <= roots and not roots.isdisjoint(ended))
        return source if is_certain else ""

    def _saved(self) -> dict[Hashable, int]:
        """By cause: how many graphs an entry point loses if it is removed, for the causes with the most findings."""
        records: dict[Hashable, list[Record]] = {}
        for raw, breaks in self._breaks.items():
            records.setdefault(raw.key, []).extend(item.record for item in breaks)
        return {
            key: max(
                (every - self._graphs.count(root, True, key) for root, every in self._largest(records[key])), default=0
            )
            for key, _ in Counter(raw.key for raw in self._breaks).most_common(MOST_CAUSES)
        }

    def _largest(self, records: Iterable[Record]) -> list[tuple[Record, int]]:
        """The entry points with the most graphs that reach one of some calls, with the number of their graphs."""
        result = [(root, self._counts[root][1]) for root in self._graphs.leading(records)]
        return sorted(result, key=lambda pair: -pair[1])[:MOST_ENTRIES]

    @property
    def forwards(self) -> tuple[Forward, ...]:
        """The entry points that a break splits, each once, with the largest number of graphs that it may have."""
        result: dict[FunctionInfo, Forward] = {}
        for root, (certain, every) in self._counts.items():
            function = self._graphs.function(root)
            if function is None:
                continue
            before = result.get(function)
            if before is None or before.most < every:
                result[function] = Forward(function.module.path, function.node.lineno, function.name, certain, every)
        return tuple(result.values())

    def eager_calls(self, fixable: Set[RawFinding]) -> tuple[EagerCall, ...]:
        """The helpers with several breaks without a fix for which one eager call results in fewer graphs."""
        result = []
        helpers: dict[FunctionInfo, list[RawFinding]] = {}
        for raw in self._breaks:
            function = raw.event.frame.function
            if function is not None and function.name.rpartition(".")[2] not in _ENTRIES:
                helpers.setdefault(function, []).append(raw)
        for function, raws in list(helpers.items())[:MOST_CAUSES]:
            if len({raw.key for raw in raws}) < 2 or not fixable.isdisjoint(raws):
                continue
            reached = (item.record for raw in raws for item in self._breaks[raw])
            pairs = [
                (every, self._graphs.count(root, True, disabled=function))
                for root, every in self._largest(reached)
                if self._graphs.function(root) is not function
            ]
            before, after = max(pairs, key=lambda pair: pair[0] - pair[1], default=(0, 0))
            if after < before:
                place = function.module.path, function.node.lineno, function.name
                result.append(EagerCall(*place, len(raws), before, after))
        return tuple(result)


def _add_causes(interp: Interpreter, raws: Sequence[RawFinding]) -> None:
    origins = Origins(interp)
    for raw in raws:
        if isinstance(raw.event, LibraryBreak):
            file, _, row = raw.event.place.rpartition(":")
            raw.cause = Cause(file, int(row), _short(raw.event.source))
        elif raw.rule.code.startswith(_OF_VALUES) and (origin := origins.of(raw.event)) is not None:
            start = span_of(origin.module, origin.node).start
            raw.cause = Cause(origin.module.path, start.row, _short(source_of(origin.module, origin.node)))


def _short(source: str) -> str:
    return source if len(source) <= LONGEST else f"{source[: LONGEST - 1]}…"
