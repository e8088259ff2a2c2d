"""What docs/graphmend.md says of breaklint is what a run shows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

pytest.importorskip("torch")

from graphmend import HEAD, MARKS, PAGE, Outcome, measured
from graphmend_rows import ROWS, Row
from nightly import one_in


@cache
def shown() -> dict[str, str]:
    """The rows of the page's table by their patterns."""
    block = PAGE.read_text("utf-8").partition(MARKS[0])[2].partition(MARKS[1])[0].strip()
    head, rows = block[: len(HEAD)], block[len(HEAD) :]
    assert head == HEAD
    return {line.split(" | ")[0].removeprefix("| "): line + "\n" for line in rows.splitlines()}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Row], Outcome]:
    """Measures each row once."""
    return cache(lambda row: measured(row, tmp_path_factory.mktemp("graphmend")))


def test_the_page_shows_every_pattern_in_order() -> None:
    assert list(shown()) == [row.pattern for row in ROWS]


BY_DAY = one_in(4, ROWS, [row.pattern for row in ROWS])


@pytest.mark.parametrize("row", BY_DAY)
def test_the_page_shows_what_a_run_gives(row: Row, run: Callable[[Row], Outcome]) -> None:
    """Where this fails because a fix is new, `python tests/fixes/graphmend.py` writes the table again."""
    assert run(row).cells(row) == shown()[row.pattern]


@pytest.mark.parametrize("row", BY_DAY)
def test_nothing_that_is_fixed_differs_without_compiling(row: Row, run: Callable[[Row], Outcome]) -> None:
    assert run(row).result.startswith(("equal", "unchanged"))
