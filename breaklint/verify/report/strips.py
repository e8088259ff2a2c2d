"""The source of a target beside its fixed self: which lines changed, which broke, and which graph each went into."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

from breaklint.verify.judge.results import ArmReport, SourceText, TargetReport
from breaklint.verify.paths import shown

View = dict[str, Any]
AROUND = 3
"""How many lines are shown around one that matters."""

COLOURS = 6


def strips(target: TargetReport) -> list[View]:
    """One panel an arm for each file in which something changed or broke, rows level; none without sources."""
    names = [name.partition(":")[2] for name in target.sources if name.partition(":")[0] == "before"]
    return [panel for name in names for panel in _file(target, f":{name}" if name else "")]


def _file(target: TargetReport, which: str) -> list[View]:
    before, after = target.sources[f"before{which}"], target.sources.get(f"after{which}")
    sides = {"before": before} | ({"after": after} if after is not None else {})
    marks = {name: _Marks(source, target.arms.get(name, ArmReport())) for name, source in sides.items()}
    if after is None:
        rows = [("", row, 0) for row in range(1, len(before.text.splitlines()) + 1)]
    else:
        rows = list(_aligned(before.text, after.text))
    keep = _kept(rows, marks)
    notes = [max(len(told) for told in _breaks(numbers, marks)) for _, *numbers in rows]
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


def _breaks(numbers: list[int], marks: dict[str, _Marks]) -> list[list[str]]:
    return [side.breaks.get(row, []) for side, row in zip(marks.values(), numbers, strict=False)]


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
