"""Generated models before and after every kind of fix: what a caller can see is the same, or the fix warns of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tqdm")

from differential.compiling import breaks_left  # noqa: E402
from differential.inputs import Call  # noqa: E402
from differential.judging import Rewrite  # noqa: E402
from differential.kinds import GENERATORS  # noqa: E402
from differential.survey import Count, survey  # noqa: E402

from breaklint.fixes.registry import kinds  # noqa: E402

VARIANTS, CALLS, COMPILED = 25, 3, 2
KINDS = sorted(GENERATORS)


@cache
def surveyed(kind: str) -> tuple[Count, list[tuple[Rewrite, str, list[Call]]]]:
    fixed: list[tuple[Rewrite, str, list[Call]]] = []
    count = survey(kind, VARIANTS, CALLS, lambda *seen: fixed.append(seen))
    return count, fixed


def test_every_kind_of_fix_has_generated_models() -> None:
    assert set(GENERATORS) == {kind for kind in kinds() if not kind.startswith("show-")}


@pytest.mark.parametrize("kind", KINDS)
def test_a_fix_brings_no_difference_that_it_does_not_warn_of(kind: str) -> None:
    found = surveyed(kind)[0].disagreements
    assert not found, "\n" + str(min(found, key=lambda each: len(each.before)))


@pytest.mark.parametrize("kind", KINDS)
def test_some_generated_models_are_fixed(kind: str) -> None:
    assert len(surveyed(kind)[1]) >= 3


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_fixed_no_longer_breaks(kind: str, tmp_path: Path) -> None:
    for rewrite, text, calls in surveyed(kind)[1][:COMPILED]:
        assert breaks_left(text, rewrite, GENERATORS[kind].traced(calls[0]), tmp_path) == set(), rewrite.text
