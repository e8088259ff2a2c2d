"""Models as people write them, and the rows on which torch 2.13 broke the graph.

`labels.json` is what benchmarks/accuracy/exam.py told, in eager and in training mode.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from breaklint.lint.engine import Engine
from breaklint.model import Effect, Settings

FOLDER = Path(__file__).parent / "ordinary_code"
LABELS = json.loads((FOLDER / "labels.json").read_text(encoding="utf-8"))["files"]
PROJECTS = sorted({name.split("/")[0] for name in LABELS})
KNOWN = json.loads((FOLDER / "not_yet.json").read_text(encoding="utf-8"))


def rows(spans: str) -> set[int]:
    """The rows of `3 5-7`."""
    ends = [[*map(int, span.split("-"))] for span in spans.split()]
    return {row for first, *last in ends for row in range(first, (last or [first])[0] + 1)}


def breaks_in(project: str) -> dict[str, set[tuple[int, int]]]:
    """The first and last row of each `break` finding, by file of a project: one file, or all of a folder."""
    place = FOLDER / project
    paths = sorted(str(path) for path in place.rglob("*.py")) if place.is_dir() else [str(place)]
    engine = Engine(Settings())
    found: dict[str, set[tuple[int, int]]] = {}
    for path in paths:
        for each in engine.check(path, Path(path).read_text(encoding="utf-8")).findings:
            name = Path(os.path.relpath(each.filename, FOLDER)).as_posix()
            if each.effect is Effect.BREAK:
                found.setdefault(name, set()).add((each.span.start.row, each.span.end.row))
    return found


@pytest.mark.parametrize("project", PROJECTS)
def test_breaks_are_found_where_torch_breaks(project: str) -> None:
    found, told = breaks_in(project), {}
    for name in (name for name in LABELS if name.split("/")[0] == project):
        breaks, traced = rows(LABELS[name]["breaks"]), rows(LABELS[name]["traced"])
        spans = found.get(name, set())
        missed = {row for row in breaks if not any(first <= row <= last for first, last in spans)}
        wrong = {first for first, last in spans if first in traced and breaks.isdisjoint(range(first, last + 1))}
        told |= {name: {"missed": sorted(missed), "wrong": sorted(wrong)}} if missed or wrong else {}
    assert told == {name: rows for name, rows in KNOWN.items() if name.split("/")[0] == project}
