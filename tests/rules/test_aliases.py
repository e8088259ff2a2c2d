"""Codes and names that rules had before select, suppress and explain them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from harness import RunBreaklint

from breaklint.errors import CardError
from breaklint.lint.engine import Engine, check_source
from breaklint.model import Rule, Settings
from breaklint.rules.cards import load_rules
from breaklint.torchops.tables import versions
from breaklint.torchops.torch_versions import holds

RENAMED = {alias: rule for rule in load_rules() for alias in rule.aliases}


def broken(rule: Rule, settings: Settings, end: str = "") -> list[str]:
    """The codes of what is found in the first bad example of a rule, with a comment behind the rows that break."""
    example = next(item for item in rule.examples if item.bad)
    torch = next(version for version in reversed(versions()) if not example.torch or holds(example.torch, version))
    text = "\n".join(f"{line}{end}" if "# break" in line else line for line in dedent(example.bad).splitlines())
    result = check_source(text + "\n", "net.py", settings._replace(target_torch=torch)).findings
    return [item.code for item in result]


def test_there_are_some() -> None:
    assert RENAMED


@pytest.mark.parametrize("alias", RENAMED)
def test_an_alias_selects_the_rule(alias: str) -> None:
    rule = RENAMED[alias]
    assert set(broken(rule, Settings(select=(alias,)))) == {rule.code}
    assert rule.code not in broken(rule, Settings(ignore=(alias,)))
    assert rule.code not in broken(rule, Settings(per_file_ignores=(("net.py", (alias,)),)))


@pytest.mark.parametrize("alias", [alias for alias in RENAMED if alias.isupper()])
@pytest.mark.parametrize("comment", ["  # breaklint: ignore[{}]", "  # noqa: {}"])
def test_an_alias_suppresses_findings_of_the_rule_and_counts_as_used(alias: str, comment: str) -> None:
    rule = RENAMED[alias]
    assert set(broken(rule, Settings(select=(rule.code, "BRK901")), comment.format("BRK101"))) >= {rule.code}
    assert not broken(rule, Settings(select=(rule.code, "BRK901")), comment.format(alias))


@pytest.mark.parametrize("alias", [alias for alias in RENAMED if alias.isupper()])
def test_a_comment_with_an_alias_is_not_unused_while_the_rule_is_off(alias: str) -> None:
    text = f"import torch\nx = 1  # breaklint: ignore[{alias}]\n"
    assert [finding.code for finding in check_source(text, "net.py", Settings()).findings] == ["BRK901"]
    assert not check_source(text, "net.py", Settings(ignore=(alias,))).findings


@pytest.mark.parametrize("alias", RENAMED)
def test_an_alias_is_explained_by_the_page_of_the_rule(alias: str, breaklint: RunBreaklint) -> None:
    shown = breaklint("rule", alias, "--output-format", "markdown").stdout
    assert shown.startswith(f"# {RENAMED[alias].code} ")
    assert f"`{alias}`" in shown


def test_an_alias_is_not_the_code_or_name_of_another_rule(tmp_path: Path) -> None:
    card = tmp_path / "own.yaml"
    card.write_text(
        dedent("""\
        code: OWN101
        name: own
        summary: a print
        effect: break
        aliases: [BRK101]
        why: It prints.
        match:
          - call: print
        examples:
          - good: x = 1
    """)
    )
    with pytest.raises(CardError, match="BRK101 is taken by"):
        Engine(Settings(rules=(str(card),)))
