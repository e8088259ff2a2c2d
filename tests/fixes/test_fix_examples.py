"""The fixes write what the cards and the fixtures show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from breaklint.lint.engine import check_source, fix_source
from breaklint.model import Applicability, Example, Rule, Settings
from breaklint.rules.cards import load_rules
from breaklint.source.resources import fixtures_dir

EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.name}-{number}")
    for rule in load_rules(())
    for number, example in enumerate(rule.examples, 1)
    if rule.fix_kind and not rule.fix_kind.startswith("show-") and example.fixed
]
FIXTURES = sorted(fixtures_dir().iterdir())
MARK = re.compile(r"  # (?:break|unroll|recompile|sync)$", re.MULTILINE)


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_the_fix_writes_what_the_card_shows(rule: Rule, example: Example) -> None:
    settings = Settings(select=(rule.code,))
    result = fix_source(MARK.sub("", example.bad), "model.py", settings, unsafe=True)
    assert result.text == example.fixed
    assert result.errors == ()


@pytest.mark.parametrize("folder", FIXTURES, ids=[folder.name for folder in FIXTURES])
def test_the_fix_writes_what_the_fixture_shows(folder: Path) -> None:
    before, after = folder / "before.py", folder / "after.py"
    result = fix_source(before.read_text("utf-8"), "before.py", Settings(), unsafe=True)
    assert result.text == (after.read_text("utf-8") if after.is_file() else None)


@pytest.mark.parametrize("folder", FIXTURES, ids=[folder.name for folder in FIXTURES])
def test_the_fix_leaves_nothing_that_could_be_fixed(folder: Path) -> None:
    after = folder / "after.py"
    text = (after if after.is_file() else folder / "before.py").read_text("utf-8")
    fixes = [finding.fix for finding in check_source(text, "after.py", Settings()).findings if finding.fix]
    assert all(fix.applicability is Applicability.DISPLAY for fix in fixes)
