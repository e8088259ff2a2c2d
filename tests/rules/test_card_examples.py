"""What the cards say is what is found and fixed: every example of every card, checked as its own file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from breaklint.lint.card_examples import failures
from breaklint.lint.engine import check_source
from breaklint.model import Example, Rule, Settings
from breaklint.rules.cards import load_rules


def examples() -> Iterator[object]:
    for rule in load_rules():
        if rule.code.startswith("BRK9"):
            continue  # not about the code: told by the engine and by what reads files
        for number, example in enumerate(rule.examples, 1):
            yield pytest.param(rule, example, id=f"{rule.name}-{number}")


@pytest.mark.parametrize(("rule", "example"), list(examples()))
def test_an_example_is_found_and_fixed_as_the_card_says(rule: Rule, example: Example) -> None:
    assert failures(rule, example) == []


@pytest.mark.parametrize(("rule", "example"), list(examples()))
def test_a_message_names_what_it_is_about(rule: Rule, example: Example) -> None:
    result = check_source(example.bad, "model.py", Settings()).findings
    assert [item.message for item in result if "``" in item.message] == []
