"""Rule cards: what loads, what is refused and how, and that the built-in ones are complete."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from breaklint.errors import CardError
from breaklint.model import NEWEST_TORCH, Effect, Match, Rule, Severity
from breaklint.rules.cards import load_rules
from breaklint.source.resources import rules_dir
from breaklint.torchops.facts import for_target

CARD = """\
code: ABC001
name: own-rule
summary: a rule of one's own
effect: break
dynamo: [GB0059]
why: because
match:
  - call: print
examples:
  - good: |
      import torch
"""
WriteCard = Callable[[str], Path]


@pytest.fixture
def write_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WriteCard:
    """Write a card of one's own, away from the user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def write(text: str) -> Path:
        path = tmp_path / "own-rule.yaml"
        path.write_text(text)
        return path

    return write


def own(path: Path) -> Rule:
    return next(rule for rule in load_rules((path,)) if rule.name == "own-rule")


def test_a_card_of_ones_own_is_read(write_card: WriteCard) -> None:
    rule = own(write_card(CARD))
    assert (rule.code, rule.effect, rule.severity) == ("ABC001", Effect.BREAK, Severity.ERROR)
    assert rule.match == (Match("call", ("builtins.print",)),)
    assert rule.url == "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0059.html"


def test_a_folder_of_cards_is_read(write_card: WriteCard) -> None:
    assert own(write_card(CARD).parent).code == "ABC001"


def test_on_and_true_are_text(write_card: WriteCard) -> None:
    rule = own(write_card(CARD.replace("call: print", "method: item\n    on: tensor\n    where: {flag: true}")))
    assert rule.match == (Match("method", ("item",), ("tensor",), (("flag", ("true",)),)),)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param("why: because\n", "", "key `why` is missing", id="missing key"),
        pytest.param("why:", "wyh:", "unknown key `wyh`; did you mean `why`?", id="misspelled key"),
        pytest.param("why: because", "why: [because]", "key `why` must be text, not list", id="wrong type"),
        pytest.param("effect: break", "effect: brake", "key `effect` is `brake`; did you mean `break`?", id="effect"),
        pytest.param("GB0059", "0059", "key `dynamo` is '0059'; it must be graph break ids", id="graph break id"),
        pytest.param("ABC001", "abc", "key `code` is 'abc'; it must be letters and three digits", id="code"),
        pytest.param("why: because", "why: w\ntorch: 2.13+", "key `torch`: `2.13+` is not like >=2.11", id="torch"),
        pytest.param("own-rule", "Own rule", "key `name` is 'Own rule'; it must be a slug", id="name"),
        pytest.param("call: print", "calls: print", "unknown key `match[1].calls`; did you mean `call`?", id="pattern"),
        pytest.param("call: print", "method: item", "`match[1]` needs `on`", id="method without receiver"),
        pytest.param(
            "call: print", "call: print\n    with: open", "needs exactly one of call, method", id="two patterns at once"
        ),
        pytest.param(
            "call: print",
            "call: print\n    where: {file: tenser}",
            "key `match[1].where.file` is `tenser`; did you mean `tensor`?",
            id="kind of value",
        ),
        pytest.param("call: print", "call: print\n    target: print", "key `match[1].target` is `print`", id="target"),
        pytest.param(
            "examples:", "targets: {own: {halp: x}}\nexamples:", "unknown key `targets.own.halp`", id="key of a target"
        ),
        pytest.param("examples:", "aliases: [Old]\nexamples:", "key `aliases[1]` is 'Old'", id="alias"),
        pytest.param("match:\n  - call: print\n", "", "key `match` or `check` is missing", id="no pattern"),
        pytest.param("- good:", "- fixed:", "`fixed` without `bad`", id="fixed without bad"),
        pytest.param("ABC001", "BRK101", "BRK101 is taken by BRK101 print-call", id="code of another card"),
        pytest.param("code:", "code: [", "not YAML", id="not yaml"),
    ],
)
def test_a_wrong_card_is_refused_by_name_and_key(write_card: WriteCard, old: str, new: str, message: str) -> None:
    path = write_card(CARD.replace(old, new))
    with pytest.raises(CardError, match=re.escape(message)) as caught:
        load_rules((path,))
    assert str(caught.value).count("\n") == 0
    assert "own-rule" in str(caught.value)


def test_of_two_cards_of_one_code_both_files_are_named(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(CARD.replace("own-rule", name), encoding="utf-8")
    with pytest.raises(CardError, match=r"two\.yaml: ABC001 is taken by ABC001 one in .*one\.yaml$"):
        load_rules((tmp_path,))


def test_a_card_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CardError, match="no such rule card"):
        load_rules((tmp_path / "none.yaml",))


def test_a_changed_card_is_read_again(write_card: WriteCard) -> None:
    first = write_card(CARD)
    before = own(first)
    load_rules.__globals__["_load"].cache_clear()
    assert own(first) == before
    first.write_text(CARD.replace("because", "it is so"))
    os.utime(first, ns=(1, 1))
    load_rules.__globals__["_load"].cache_clear()
    assert own(first).why == "it is so"


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.name)
class TestBuiltInCards:
    def test_its_file_is_named_after_it(self, rule: Rule) -> None:
        assert (rules_dir() / f"{rule.name}.yaml").exists()

    def test_its_graph_breaks_are_in_torchs_registry(self, rule: Rule) -> None:
        assert set(rule.dynamo) <= set(for_target(NEWEST_TORCH).graph_breaks)

    def test_it_claims_a_break_exactly_when_it_lists_one(self, rule: Rule) -> None:
        elsewhere = (
            "tqdm-loop",
            "call-that-breaks",
            "library-call-that-breaks",
            "observed-break",
        )  # where the break is another rule's
        assert bool(rule.dynamo) == (rule.effect is Effect.BREAK) or rule.name in elsewhere

    def test_it_says_how_it_is_fixed_or_why_not(self, rule: Rule) -> None:
        assert bool(rule.fix_kind) != bool(rule.no_fix) or rule.code.startswith("BRK9")

    def test_it_has_an_example_of_what_it_finds(self, rule: Rule) -> None:
        unproven = {
            "tqdm-loop", "image-transform", "call-that-breaks",
            "library-call-that-breaks", "unused-suppression", "unreadable-file",
            "observed-break", "observed-recompile",
        }  # fmt: skip
        assert any(example.bad for example in rule.examples) or rule.name in unproven
