"""A program that compiles at every call is a finding, and no other is: counted by scripts/torch_probe/recompiles.py."""

from __future__ import annotations

from typing import Any

import pytest
from harness import PROJECT

from breaklint.lint.engine import check_source
from breaklint.model import Settings
from breaklint.rules.checks.state import TWICE
from scripts.torch_probe.recompiles import HEAD, Program, programs_in

FILES = sorted((PROJECT / "tests/rules/loops").glob("*.txt"))
PROGRAMS = [item for path in FILES for item in programs_in(path.read_text())]
LOOP = "\n\ndef main():\n    for i in range(1000):\n        run(i)\n"
TWICE_END = TWICE.rpartition("`")[2]
VERSIONS = ("2.13", "2.15")


# Without the loop, the resets of a state and the sizes are unknown.
ONLY_WITH_LOOP = frozenset(
    "under-false-flag counter-reset-by-driver global-list-cleared list-state-counter accumulation-counts-in-module "
    "hook-counter queue-pointer-short".split()
)
# Not seen: attributes of functions and of library objects, ranks, classes and optimizers that a loop makes, a tensor of
# one number as an index, parameters that are trained from some call on.
MISSED = frozenset(
    "function-attribute tensor-rank-grows class-made-in-call config-namespace optimizer-made-per-fold vocabulary-grows "
    "kv-cache-static-position unfreeze-layers".split()
)
# On 2.13 an f-string that is a key stays symbolic; a frame whose first call has no operation is never compiled.
FALSE = {("metrics-by-step-name", "2.13"), ("accumulation-counts-in-module", "2.13")}
# On 2.13 the program of the hook raises.
FALSE |= {("accumulation-counts-in-module", "2.15"), ("hook-counter", "2.13")}


def is_endless(counts: list[Any]) -> bool:
    """Whether each of the last calls compiles."""
    assert len(counts) == 12
    return all(isinstance(count, int) and count > 0 for count in counts[-4:])


BOUNDED = [item for item in PROGRAMS if not is_endless(item.counted["2.13"]) and item.name not in ONLY_WITH_LOOP]


def recompiles(text: str, target: str) -> list[str]:
    """The findings of recompilations at every call."""
    result = check_source(text, "program.py", Settings(target_torch=target))
    assert result.errors == ()
    match = [finding for finding in result.findings if finding.effect.value == "recompile"]
    return [f"{item.span.start.row} {item.code}" for item in match if not item.message.endswith(TWICE_END)]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.name)
def test_found_where_every_call_compiles(program: Program) -> None:
    counted = program.counted
    for target in VERSIONS if counted["2.13"] != counted.get("2.15", counted["2.13"]) else VERSIONS[:1]:
        result = recompiles(HEAD + program.code + LOOP, target)
        name, expected = program.name, is_endless(counted[target])
        differs = name in MISSED if expected else (name, target) in FALSE
        assert bool(result) is (expected != differs), (target, result)


@pytest.mark.parametrize("program", BOUNDED, ids=lambda each: each.name)
def test_no_false_alarm_without_the_loop(program: Program) -> None:
    assert recompiles(HEAD + program.code, "2.13") == []
