"""Generated models before and after every kind of fix: safe fixes change nothing that a caller can see."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from differential.compiling import breaks_left  # noqa: E402
from differential.inputs import Call  # noqa: E402
from differential.judging import Rewrite  # noqa: E402
from differential.kinds import GENERATORS  # noqa: E402
from differential.survey import Count, survey  # noqa: E402

from breaklint.fixes.registry import kinds  # noqa: E402
from breaklint.model import Rule  # noqa: E402
from breaklint.rules.cards import load_rules  # noqa: E402

CALLS = 3
BY_DAY, BY_NIGHT = 8, 25  # variants of a kind
KINDS = sorted(GENERATORS)
SIZES = [BY_DAY, pytest.param(BY_NIGHT, marks=pytest.mark.nightly)]


@cache
def surveyed(kind: str, variants: int) -> tuple[Count, list[tuple[Rewrite, str, list[Call]]]]:
    fixed: list[tuple[Rewrite, str, list[Call]]] = []
    count = survey(kind, variants, CALLS, lambda *seen: fixed.append(seen))
    return count, fixed


def test_every_kind_of_fix_has_generated_models() -> None:
    assert set(GENERATORS) == {rule.fix_kind for rule in load_rules() if is_written(rule)}


def test_every_fix_is_an_alternative_of_a_card_or_tried_for_all() -> None:
    named = {kind for rule in load_rules() for kind in (rule.fix_kind, *rule.fix_alternatives)}
    assert set(kinds()) == named - {"", "template"} | {"eager-branch", "raise-guard"}


def is_written(rule: Rule) -> bool:
    return bool(rule.fix_kind) and not rule.fix_kind.startswith("show-")


@pytest.mark.parametrize("variants", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_safe_fix_brings_no_difference(kind: str, variants: int) -> None:
    result = surveyed(kind, variants)[0].disagreements
    assert not result, "\n" + str(min(result, key=lambda each: len(each.before)))


@pytest.mark.parametrize("variants", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_some_generated_models_are_fixed(kind: str, variants: int) -> None:
    assert len(surveyed(kind, variants)[1]) >= variants // 12


@pytest.mark.parametrize("variants", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_fixed_no_longer_breaks(kind: str, variants: int, tmp_path: Path) -> None:
    for rewrite, text, calls in surveyed(kind, variants)[1][: max(1, variants // 10)]:
        assert breaks_left(text, rewrite, GENERATORS[kind].traced(calls[0]), tmp_path) == set(), rewrite.text
