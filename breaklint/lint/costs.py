"""What the breaks of a file cost: causes, frames that run in eager mode, and graphs for each entry point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Final

from breaklint.interp.events import LibraryBreak
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.record import Record
from breaklint.lint.findings import RawFinding
from breaklint.lint.origins import Origins
from breaklint.model import Cause, Cost, Effect, Forward
from breaklint.project.module import FunctionInfo
from breaklint.project.spans import source_of, span_of
from breaklint.rules.graphs import Break, Graphs

LONGEST: Final = 100  # characters of the source of a cause
MOST_CAUSES: Final = 24  # of one file, whose graphs are counted: a bound on the work


def costs(interp: Interpreter, raws: Sequence[RawFinding]) -> tuple[Forward, ...]:
    """Give each break its cause and its cost; the graphs of the entry points that break."""
    broken = [raw for raw in raws if raw.rule.effect is Effect.BREAK and not raw.once]
    if not broken:
        return ()
    _add_causes(interp, broken)
    found: dict[RawFinding, list[Break]] = {raw: _breaks(raw) for raw in broken}
    graphs = Graphs(interp.call_sites, [each for breaks in found.values() for each in breaks], interp.values)
    counts = {root: (graphs.count(root, False), graphs.count(root, True)) for root in graphs.roots}
    saved = _saved(graphs, Counter(map(_key, broken)), counts)
    in_function = Counter(raw.event.frame.function for raw in broken)
    of_cause = Counter((raw.event.frame.function, _key(raw)) for raw in broken)
    for raw in broken:
        skipped = list(dict.fromkeys(name for each in found[raw] for name in graphs.skipped(each)))
        hides = sum(in_function[function] - of_cause[function, _key(raw)] for function in skipped)
        names = tuple(function.name for function in skipped)
        by_default = any(map(graphs.by_default, found[raw]))
        raw.cost = Cost(names, hides, saved.get(_key(raw), 0), by_default)
    return _forwards(graphs, counts)


def _add_causes(interp: Interpreter, raws: Sequence[RawFinding]) -> None:
    origins = Origins(interp)
    for raw in raws:
        if isinstance(raw.event, LibraryBreak):
            file, _, row = raw.event.place.rpartition(":")
            raw.cause = Cause(file, int(row), _short(raw.event.source))
        elif (origin := origins.of(raw.event)) is not None:
            start = span_of(origin.module, origin.node).start
            raw.cause = Cause(origin.module.path, start.row, _short(source_of(origin.module, origin.node)))


def _short(source: str) -> str:
    return source if len(source) <= LONGEST else f"{source[: LONGEST - 1]}…"


def _key(raw: RawFinding) -> Hashable:
    """What the findings of one cause share: the place of the cause."""
    place = raw.cause
    return (place.filename, place.row) if place is not None else (raw.event.frame.module.path, raw.span.start.row)


def _breaks(raw: RawFinding) -> list[Break]:
    function = raw.event.frame.function
    return [
        Break(record, function, raw.event.node, raw.blocks, conditions, _key(raw)) for record, conditions in raw.reached
    ]


def _saved(graphs: Graphs, keys: Counter[Hashable], counts: Mapping[Record, tuple[int, int]]) -> dict[Hashable, int]:
    """By cause: how many graphs the entry points lose if it is removed, for the causes with the most findings."""
    return {
        key: max((every - graphs.count(root, True, key) for root, (_, every) in counts.items()), default=0)
        for key, _ in keys.most_common(MOST_CAUSES)
    }


def _forwards(graphs: Graphs, counts: dict[Record, tuple[int, int]]) -> tuple[Forward, ...]:
    """The entry points of which a break splits the graph, each once: with the most graphs that it may have."""
    found: dict[FunctionInfo, Forward] = {}
    for root, (certain, every) in counts.items():
        function = graphs.function(root)
        if function is None or not graphs.breaking(root):
            continue
        before = found.get(function)
        if before is None or before.most < every:
            found[function] = Forward(function.module.path, function.node.lineno, function.name, certain, every)
    return tuple(found.values())
