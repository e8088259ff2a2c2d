"""What compiles at every call is a finding, and nothing else: counted by scripts/torch_probe/recompiles.py."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from harness import PROJECT

from breaklint.lint.engine import check_source
from breaklint.model import Settings
from breaklint.rules.checks.state import TWICE
from scripts.torch_probe.recompiles import HEAD

FILES = sorted((PROJECT / "tests/recompiles/loops").glob("*.yaml"))
PROGRAMS = [each for path in FILES for each in yaml.safe_load(path.read_text("utf-8"))]
LOOP = "\n\ndef main():\n    for i in range(1000):\n        run(i)\n"
TWICE_END = TWICE.rpartition("`")[2]
VERSIONS = ("2.13", "2.15")


def is_endless(counts: list[Any]) -> bool:
    """Whether each of the last calls compiles."""
    assert len(counts) == 12
    return all(isinstance(count, int) and count > 0 for count in counts[-4:])


BOUNDED = [each for each in PROGRAMS if not is_endless(each["counted"]["2.13"])]


def recompiles(text: str, target: str) -> list[str]:
    """The findings of what compiles again and again."""
    result = check_source(text, "program.py", Settings(target_torch=target))
    assert result.errors == ()
    found = [each for each in result.findings if each.effect.value == "recompile"]
    return [f"{each.span.start.row} {each.code}" for each in found if not each.message.endswith(TWICE_END)]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: str(each["name"]))
def test_found_where_every_call_compiles(program: dict[str, Any]) -> None:
    counted = program["counted"]
    for target in VERSIONS if counted["2.13"] != counted["2.15"] else VERSIONS[:1]:
        found = recompiles(HEAD + program["code"] + LOOP, target)
        assert bool(found) is is_endless(counted[target]), (target, found)


@pytest.mark.parametrize("program", BOUNDED, ids=lambda each: str(each["name"]))
def test_no_false_alarm_without_the_loop(program: dict[str, Any]) -> None:
    if program["name"] in ("under-false-flag", "counter-reset-by-driver", "global-list-cleared", "list-state-counter"):
        pytest.skip("what only the loop tells")
    assert recompiles(HEAD + program["code"], "2.13") == []


def test_the_set_has_both_kinds() -> None:
    endless = [is_endless(each["counted"]["2.13"]) for each in PROGRAMS]
    assert (endless.count(True), endless.count(False)) == (67, 58)
