"""`breaklint new-rule` writes a card that works, and `breaklint test` tells what in a card is not true."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import RunBreaklint

MARKED = "gc.collect()  # break"


@pytest.fixture
def card(tmp_path: Path, breaklint: RunBreaklint) -> Path:
    done = breaklint("new-rule", "slow-call")
    assert done.returncode == 0, done.stderr
    return tmp_path / "my_rules" / "slow-call.yaml"


def edit(card: Path, old: str, new: str) -> None:
    text = card.read_text()
    assert old in text
    card.write_text(text.replace(old, new))


def test_a_new_card_takes_effect_where_the_configuration_names_it(
    card: Path, tmp_path: Path, breaklint: RunBreaklint
) -> None:
    (tmp_path / "breaklint.toml").write_text('rules = ["my_rules"]\n')
    source = "import gc\nimport torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
    (tmp_path / "model.py").write_text(source + "        gc.collect()\n        return x\n")
    assert "model.py:6:9: OWN001" in breaklint("check", "--output-format", "concise", "model.py").stdout
    assert breaklint("test", "--static").returncode == 0


def test_cards_get_the_next_free_code_and_the_configured_folder(
    card: Path, tmp_path: Path, breaklint: RunBreaklint
) -> None:
    (tmp_path / "lint").mkdir()
    (tmp_path / "breaklint.toml").write_text('rules = ["my_rules/slow-call.yaml", "lint"]\n')
    done = breaklint("new-rule", "other-call")
    assert done.stdout == "Wrote lint/other-call.yaml (OWN002). Change it, and prove it with: breaklint test lint\n"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (MARKED, "gc.collect()", "example 1: bad: no line ends in `# break`"),
        (MARKED, "gc.collect()", "example 1: bad: line 9 is found (OWN001: `gc.collect()` breaks the graph)"),
        ("y = torch.relu(x)\n              gc", "y = x  # break\n              gc",
         "bad: line 8 is marked and not found"),
        ("return torch.relu(x) * 2", "return gc.collect() * x", "example 2: good: line 12 is found"),
        ("if not torch.compiler.is_compiling():", "if True:", "example 1: fixed: line 10 is found"),
        ("kind: guard-compiling", "kind: keep-tensor", "fixed: the fix `keep-tensor` writes nothing for bad"),
        ("gc.collect()\n              return", "gc.collect(0)\n              return",
         "`guard-compiling` writes something else:"),
        ("effect: break ", "torch: '<2.6'\neffect: break ", "example 1: holds for no torch from 2.6 to 2.15"),
    ],
)  # fmt: skip
def test_what_check_and_fix_do_not_do_is_told(
    card: Path, breaklint: RunBreaklint, old: str, new: str, says: str
) -> None:
    edit(card, old, new)
    done = breaklint("test", "--static", "my_rules")
    assert done.returncode == 1, done.stderr
    assert says in done.stdout
    assert "1 of 2 examples fail" in done.stdout or "2 of 2 examples fail" in done.stdout


def test_a_new_card_is_proven_and_a_wrong_id_is_told(card: Path, breaklint: RunBreaklint) -> None:
    pytest.importorskip("torch")
    done = breaklint("new-rule", "--python", "slow-lookup")
    assert done.stdout.startswith("Wrote my_rules/slow_lookup.py (OWN002).")
    edit(card.with_name("slow_lookup.py"), "GB0007", "GB0124")
    done = breaklint("test", "my_rules")
    assert done.returncode == 1
    assert "OWN001 slow-call: ok" in done.stdout
    assert "3 of 4 examples pass, for check, fix and torch" in done.stdout
    assert "example 1: bad: line 8 breaks for GB0007" in done.stdout
    assert done.stdout.count("the card lists GB0124 (torch") == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("new-rule", "Slow Call"), "'Slow Call' is not a name for a rule"),
        (("new-rule", "tensor-item"), "tensor-item: another card has it already"),
        (("new-rule", "slow", "--code", "BRK201"), "BRK201: another card has it already"),
        (("new-rule", "slow", "--code", "B1"), "--code B1: give two to five capital letters and three digits"),
        (("test",), "the configuration names no `rules`"),
        (("test", "nothing"), "nothing: no rule card; give a YAML file"),
        (("test", "."), "no rules (*.yaml, *.py) there"),
    ],
)
def test_what_cannot_be_is_an_error_of_one_line(breaklint: RunBreaklint, arguments: tuple[str, ...], says: str) -> None:
    done = breaklint(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("breaklint: error: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_card_is_not_written_over(card: Path, breaklint: RunBreaklint) -> None:
    edit(card, "name: slow-call", "name: renamed")
    before = card.read_text()
    done = breaklint("new-rule", "slow-call")
    assert (done.returncode, card.read_text()) == (2, before)
    assert "the file exists already" in done.stderr


@pytest.mark.parametrize(("asked", "meant"), [("item", "tensor-item"), ("tensor-itm", "tensor-item")])
def test_a_part_of_a_name_leads_to_the_rule(breaklint: RunBreaklint, asked: str, meant: str) -> None:
    done = breaklint("rule", asked)
    assert (done.returncode, done.stderr) == (2, f"breaklint: error: {asked}: no such rule; did you mean `{meant}`?\n")
