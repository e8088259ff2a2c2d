"""What compiles at every call is a finding, and nothing else: counted by scripts/torch_probe/recompiles.py."""

from __future__ import annotations

from typing import Any

import pytest
from harness import PROJECT, RunBreaklint, WriteFiles

from breaklint.lint.engine import check_source
from breaklint.model import Settings
from breaklint.rules.checks.state import TWICE
from scripts.torch_probe.recompiles import HEAD, Program, programs_in

FILES = sorted((PROJECT / "tests/recompiles/loops").glob("*.txt"))
PROGRAMS = [item for path in FILES for item in programs_in(path.read_text())]
LOOP = "\n\ndef main():\n    for i in range(1000):\n        run(i)\n"
TWICE_END = TWICE.rpartition("`")[2]
VERSIONS = ("2.13", "2.15")


# Without the loop it is not known what resets a state, or which sizes there are.
ONLY_WITH_LOOP = {
    "under-false-flag",
    "counter-reset-by-driver",
    "global-list-cleared",
    "list-state-counter",
    "accumulation-counts-in-module",
    "hook-counter",
    "queue-pointer-short",
}


def is_endless(counts: list[Any]) -> bool:
    """Whether each of the last calls compiles."""
    assert len(counts) == 12
    return all(isinstance(count, int) and count > 0 for count in counts[-4:])


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
BOUNDED = [program for program in PROGRAMS if not is_endless(program.counted["2.13"])]


def recompiles(text: str, target: str) -> list[str]:
    """The findings of what compiles again and again."""
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
    if program.name in ONLY_WITH_LOOP:
        pytest.skip("what only the loop tells")
    assert recompiles(HEAD + program.code, "2.13") == []


def test_the_set_has_both_kinds() -> None:
    endless = {program.name: is_endless(program.counted["2.13"]) for program in PROGRAMS}
    assert [*endless.values()].count(True) == 109
    assert [*endless.values()].count(False) == 126
    assert sum(endless[name] for name in MISSED) == len(MISSED)


def test_a_change_in_another_file_than_the_compiled_function_is_reported_there(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    model = (
        "import torch\n\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.calls = 0\n\n    def forward(self, x):\n"
    )
    train = (
        "import torch\nfrom model import Net\n\n\ndef step(net, x):\n    return net(x)\n\n\ndef main():\n"
        "    net = Net()\n    fast = torch.compile(step)\n    for _ in range(10):\n"
        "        fast(net, torch.rand(4))\n\n\nmain()\n"
    )
    write_files({"model.py": model + "        self.calls += 1\n        return x * self.calls\n", "train.py": train})
    output = breaklint("check", "--output-format", "concise", ".").stdout.splitlines()
    assert [line.split(" ")[0] for line in output if "BRK701" in line] == ["model.py:10:9:"]


def test_an_entry_that_takes_its_object_by_another_name_is_judged_by_its_code_alone() -> None:
    above = (
        "class Base(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.steps = 0\n\n"
    )
    forward = "    def forward(self, x=None):\n        self.steps += 1\n        return torch.ones(3) * self.steps\n\n\n"
    below = "class Net(Base):\n    def forward(**kwargs):\n        return super().forward(**kwargs)\n"
    assert recompiles(f"import torch\n\n\n{above}{forward}{below}", "2.13") == ["10 BRK701"]
