"""Forms of compiling, and the rows on which torch 2.13 broke the graph.

`labels.json` is what benchmarks/accuracy/entry_forms.py recorded. Every form has code that is compiled, where breaks
are to be found, and code that is not, where there are to be none. torch 2.15.0 breaks on the same rows.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from breaklint.lint.engine import Engine
from breaklint.model import Effect, Settings

FOLDER = Path(__file__).parent / "entry_forms"
LABELS = json.loads((FOLDER / "labels.json").read_text(encoding="utf-8"))["files"]
FORMS = sorted({name.split("/")[0] for name in LABELS})
KNOWN = json.loads((FOLDER / "not_yet.json").read_text(encoding="utf-8"))


def findings_in(form: str) -> dict[str, list[tuple[Effect, range]]]:
    """The effect and the rows of each finding, by file of a form."""
    place = FOLDER / form
    paths = sorted(str(path) for path in place.glob("*.py")) if place.is_dir() else [str(place)]
    engine = Engine(Settings())
    found: dict[str, list[tuple[Effect, range]]] = {}
    for path in paths:
        for each in engine.check(path, Path(path).read_text(encoding="utf-8")).findings:
            name = Path(each.filename).relative_to(FOLDER).as_posix()
            found.setdefault(name, []).append((each.effect, range(each.span.start.row, each.span.end.row + 1)))
    return found


@pytest.mark.parametrize("form", FORMS)
def test_what_is_compiled_is_seen_and_nothing_else(form: str) -> None:
    found, told = findings_in(form), {}
    for name in (name for name in LABELS if name.split("/")[0] == form):
        breaks = set(LABELS[name]["breaks"])
        spans = [rows for effect, rows in found.get(name, []) if effect is Effect.BREAK]
        missed = sorted(row for row in breaks if not any(row in rows for rows in spans))
        wrong = sorted({rows[0] for rows in spans if breaks.isdisjoint(rows)})
        told |= {name: {"missed": missed, "wrong": wrong}} if missed or wrong else {}
    assert told == {name: rows for name, rows in KNOWN.items() if name.split("/")[0] == form}


@pytest.mark.parametrize("name", sorted(LABELS))
def test_marks_are_the_recorded_breaks(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8").split("\n")
    assert [row for row, line in enumerate(text, 1) if line.endswith("# break")] == LABELS[name]["breaks"]
