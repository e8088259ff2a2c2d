"""Models as people write them, and the rows on which torch 2.13 broke the graph.

`labels.json` is what benchmarks/exam.py told, in eager and in training mode.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from breaklint.lint.engine import check_source
from breaklint.model import Effect, Settings

FOLDER = Path(__file__).parent / "ordinary_code"
LABELS = json.loads((FOLDER / "labels.json").read_text(encoding="utf-8"))["files"]
# The rank of an input that is nowhere told, what rows and identifiers hold that are only zipped or asked for a number, a
# comprehension behind a loop that Dynamo gives up, an object that cannot be made again behind a break, `most_common(1)`.
MISSED = {
    "python_features.py": {286, 310},
    "heads_and_losses.py": {183, 358, 504},
    "algorithms.py": {251, 266, 418},
}
# Found under a condition that no run has met: three losses.
NOT_REACHED = {"heads_and_losses.py": {648}}


def rows(spans: str) -> set[int]:
    """The rows of `3 5-7`."""
    ends = [[*map(int, span.split("-"))] for span in spans.split()]
    return {row for first, *last in ends for row in range(first, (last or [first])[0] + 1)}


@pytest.mark.parametrize("name", LABELS)
def test_breaks_are_found_where_torch_breaks(name: str) -> None:
    found = check_source((FOLDER / name).read_text(encoding="utf-8"), name, Settings()).findings
    spans = [(each.span.start.row, each.span.end.row) for each in found if each.effect is Effect.BREAK]
    breaks, traced = rows(LABELS[name]["breaks"]), rows(LABELS[name]["traced"])
    missed = {row for row in breaks if not any(first <= row <= last for first, last in spans)}
    assert missed == MISSED.get(name, set())
    wrong = [first for first, last in spans if first in traced and breaks.isdisjoint(range(first, last + 1))]
    assert set(wrong) == NOT_REACHED.get(name, set())
