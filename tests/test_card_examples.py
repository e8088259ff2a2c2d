"""What the cards say is what is found: every example of every card, checked as its own file."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from breaklint.cards import load_rules
from breaklint.engine import check_source
from breaklint.model import NEWEST_TORCH, Effect, Example, Finding, Rule, Settings
from breaklint.selection import holds_for

MARK = re.compile(r"#\s*(?:break|unroll|recompile|sync)\s*$")
VERSIONS = (NEWEST_TORCH, "2.12", "2.11", "2.10", "2.6")


def versions(key: str) -> Iterator[object]:
    """The examples that have a version called `key`, each with its card."""
    for rule in load_rules():
        if rule.code.startswith("BRK9"):
            continue  # not about the code: told by the engine and by what reads files
        for number, example in enumerate(rule.examples, 1):
            if getattr(example, key):
                yield pytest.param(rule, example, id=f"{rule.name}-{number}")


def check(rule: Rule, example: Example, key: str) -> tuple[Finding, ...]:
    """The findings for the newest torch that both the card and the example are about."""
    target = next(v for v in VERSIONS if holds_for(rule.torch, v) and holds_for(example.torch, v))
    result = check_source(getattr(example, key), f"{rule.name}.py", Settings(target_torch=target))
    assert result.errors == ()
    return result.findings


def marked_rows(source: str) -> set[int]:
    return {row for row, line in enumerate(source.splitlines(), 1) if MARK.search(line)}


def rows(found: Finding) -> range:
    return range(found.span.start.row, found.span.end.row + 1)


@pytest.mark.parametrize(("rule", "example"), list(versions("bad")))
def test_a_bad_example_is_found_on_its_marked_lines_and_nowhere_else(rule: Rule, example: Example) -> None:
    found = check(rule, example, "bad")
    marked = marked_rows(example.bad)
    mine = [finding for finding in found if finding.code == rule.code]
    assert marked - {row for finding in mine for row in rows(finding)} == set(), "not found"
    assert [finding for finding in mine if marked.isdisjoint(rows(finding))] == [], "found where nothing is marked"
    breaks = [finding for finding in found if finding.effect is Effect.BREAK]
    assert [finding for finding in breaks if marked.isdisjoint(rows(finding))] == [], "another break is claimed"


@pytest.mark.parametrize(("rule", "example"), list(versions("good")))
def test_a_good_example_is_not_found(rule: Rule, example: Example) -> None:
    assert [found for found in check(rule, example, "good") if found.code == rule.code] == []


@pytest.mark.parametrize(("rule", "example"), list(versions("fixed")))
def test_a_fixed_example_is_not_found(rule: Rule, example: Example) -> None:
    assert [found for found in check(rule, example, "fixed") if found.code == rule.code] == []
