"""What the page draws: positions for its plots, and the source of a target beside its fixed self.

Positions are in per cent of a plot's width, so that text keeps its size on every screen. Sources show which lines
changed, which broke, and which graph each went into.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from math import floor, isfinite, log2, log10
from statistics import median
from typing import Any

from breaklint.source.shown_paths import shown
from breaklint.verify.judge.results import ArmReport, SourceText, Speedup, TargetReport

View = dict[str, Any]
MARGIN = 3.0
LANES = 5
SLOWEST, FASTEST = 0.25, 8.0
"""The ends of the axis for ratios; what is beyond stands at the rim."""
AROUND = 3
"""How many lines are shown around one that matters."""
COLOURS = 6


class Axis:
    """Maps values to per cent of the width, with round ticks."""

    def __init__(self, low: float, high: float) -> None:
        self._low, self._high = low, high if high > low else low + (abs(low) or 1.0)

    def at(self, value: float) -> float:
        """The place of a value."""
        share = (value - self._low) / (self._high - self._low)
        return round(MARGIN + (100 - 2 * MARGIN) * min(1.0, max(0.0, share)), 2)

    def ticks(self) -> list[View]:
        """Three to six round values inside the axis."""
        rough = (self._high - self._low) / 4
        power = 10.0 ** floor(log10(rough))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
        first = floor(self._low / step) + (0 if self._low % step == 0 else 1)
        values = [n * step for n in range(int(first), int(self._high / step) + 1)]
        return [{"x": self.at(value), "label": f"{value:.6g}"} for value in values]


def latency(arms: Mapping[str, ArmReport]) -> View | None:
    """Every sample of every arm in milliseconds: points, the middle half and the median."""
    timed = {name: [ms for ms in arm.samples_ms if isfinite(ms)] for name, arm in arms.items() if not arm.error}
    timed = {name: samples for name, samples in timed.items() if samples}
    if not timed:
        return None
    longest = max(min(max(samples), 2 * median(samples)) for samples in timed.values())  # others stand at the rim
    axis = Axis(0.0, longest * 1.05)
    return {"rows": [_row(name, samples, axis) for name, samples in timed.items()], "ticks": axis.ticks(), "unit": "ms"}


def _row(name: str, samples: list[float], axis: Axis) -> View:
    ordered = sorted(samples)
    quarter = len(ordered) // 4
    low, high = axis.at(ordered[quarter]), axis.at(ordered[-1 - quarter])
    return {
        "name": name,
        "label": f"{median(samples):.4g} ms",
        "points": [
            {"x": axis.at(ms), "y": 8 + 5 * (n % LANES), "label": f"{ms:.4g} ms"} for n, ms in enumerate(samples)
        ],
        "middle": axis.at(median(samples)),
        "low": low,
        "width": round(max(high - low, 0.3), 2),
    }


def interval_bar(speed: Speedup | None) -> View | None:
    """A ratio with its interval on a logarithmic axis, the same for all, so that cards can be compared."""
    if speed is None:
        return None
    axis = Axis(log2(SLOWEST), log2(FASTEST))
    low, high, at = (axis.at(log2(max(ratio, SLOWEST))) for ratio in (*speed.interval, speed.ratio))
    return {"one": axis.at(0.0), "left": low, "width": round(max(high - low, 0.8), 2), "at": at}


def strips(target: TargetReport) -> list[View]:
    """One panel an arm for each file in which something changed or broke, rows level; none without sources."""
    names = [name.partition(":")[2] for name in target.sources if name.partition(":")[0] == "before"]
    return [panel for name in names for panel in _file(target, f":{name}" if name else "")]


def _file(target: TargetReport, which: str) -> list[View]:
    before, after = target.sources[f"before{which}"], target.sources.get(f"after{which}")
    sides = {"before": before} | ({"after": after} if after is not None else {})
    marks = {name: _Marks(source, target.arms.get(name, ArmReport())) for name, source in sides.items()}
    rows = list(_aligned(before.text, (after or before).text))
    keep = _kept(rows, marks)
    sides_of = (zip(marks.values(), numbers, strict=False) for _, *numbers in rows)
    notes = [max(len(side.breaks.get(row, [])) for side, row in each) for each in sides_of]
    panels = []
    for side, (name, source) in enumerate(sides.items()):
        lines = source.text.splitlines()
        places = [(kind, (left, right)[side]) for kind, left, right in rows]
        panels.append(
            {
                "arm": name,
                "filename": shown(source.filename),
                "graphs": marks[name].legend,
                "rows": list(_rows(places, keep, notes, lines, marks[name])),
            }
        )
    return panels


class _Marks:
    """What an arm did with the rows of its source."""

    def __init__(self, source: SourceText, arm: ArmReport) -> None:
        name = shown(source.filename)
        graphs = arm.made.graphs if arm.made else ()
        self.graph: dict[int, int] = {}
        for number, graph in enumerate(graphs):
            for filename, row in graph["lines"]:
                if shown(filename) == name:
                    self.graph.setdefault(row, number)
        self.legend = [
            {"number": number + 1, "ops": graph["ops"], "colour": number % COLOURS}
            for number, graph in enumerate(graphs)
        ]
        self.breaks: dict[int, list[str]] = {}
        for broken in arm.breaks:
            caller = broken.called_from
            places = [(broken.filename, broken.row), *([caller] if caller else [])]
            for filename, row in places:
                if shown(filename) == name:
                    self.breaks.setdefault(row, []).append(f"{broken.gb} {broken.title}".strip())
                    break


def _aligned(before: str, after: str) -> Iterator[tuple[str, int, int]]:
    """Kind of change, row before and row after (0: none) for every line of a side-by-side view."""
    left, right = before.splitlines(), after.splitlines()
    for kind, a, a_end, b, b_end in SequenceMatcher(a=left, b=right, autojunk=False).get_opcodes():
        for step in range(max(a_end - a, b_end - b)):
            one, other = (a + step + 1 if a + step < a_end else 0), (b + step + 1 if b + step < b_end else 0)
            yield ("" if kind == "equal" else "changed", one, other)


def _kept(rows: list[tuple[str, int, int]], marks: dict[str, _Marks]) -> list[bool]:
    """Whether each row is shown: it changed, broke or is in a graph, or is near one that is."""
    matters = []
    for kind, *numbers in rows:
        sides = zip(marks.values(), numbers, strict=False)
        matters.append(bool(kind) or any(row in side.graph or row in side.breaks for side, row in sides))
    near = [any(matters[max(0, n - AROUND) : n + AROUND + 1]) for n in range(len(rows))]
    return near if any(near) else [n < 3 * AROUND for n in range(len(rows))]


def _rows(
    places: list[tuple[str, int]], keep: list[bool], notes: list[int], lines: list[str], marks: _Marks
) -> Iterator[View]:
    """The lines of a panel; below each as many notes as either panel has there, so that both stay level."""
    hidden = 0
    for (kind, row), show, count in zip(places, keep, notes, strict=True):
        if not show:
            hidden += 1
            continue
        if hidden:
            yield {"gap": hidden}
            hidden = 0
        graph = marks.graph.get(row)
        yield {
            "gap": 0,
            "number": row or "",
            "text": lines[row - 1] if row else "",
            "kind": kind if row else "filler",
            "graph": "" if graph is None else graph % COLOURS,
            "graph_name": "" if graph is None else f"graph {graph + 1}",
            "notes": (marks.breaks.get(row, []) + [""] * count)[:count],
        }
    if hidden:
        yield {"gap": hidden}
