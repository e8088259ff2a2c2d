"""The fix of a break that only Dynamo saw: that of the rule which check would name if it knew of the tensors there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness import RunBreaklint, WriteFiles
from test_join import BY, PLACE, check, profile

from breaklint.observe.profile import Break, Profile, Seen, merged, text_of

NET = """\
import torch


class Net(torch.nn.Module):
    def __init__(self, gate):
        super().__init__()
        self.gate = gate

    def forward(self, x):
        limit = self.gate(x)
        if limit.mean() > 0:
            x = x * 2
        else:
            x = x * 3
        return x


def scaled(x, limit):
    count = float(limit)
    return x * count


def rows(x, names):
    return names.tolist()
"""
FIXED = """\
        limit = self.gate(x)
        x = torch.where(limit.mean() > 0, x * 2, x * 3)
        return x
"""


def broke(function: str, row: int, gb: str, text: str = NET) -> Profile:
    return profile(text, function, Seen(frozenset({row}), (Break(row, gb, "why", by=BY),), by=BY))


BRANCH = broke("Net.forward", 3, "GB0170")
NUMBER = broke("scaled", 2, "GB0124")
LIST = broke("rows", 2, "GB0059")


def found(done: Any) -> list[dict[str, Any]]:
    return [load for load in json.loads(done.stdout) if load["code"] == "BRK950"]


@pytest.mark.parametrize(("known", "row", "rule"), [(BRANCH, 11, "BRK301"), (NUMBER, 19, "BRK202")])
def test_it_has_the_fix_of_the_nearest_rule(
    write_files: WriteFiles, breaklint: RunBreaklint, known: Profile, row: int, rule: str
) -> None:
    write_files({"net.py": NET, PLACE: text_of(known)})
    (one,) = found(check(breaklint))
    assert (one["location"]["row"], one["fix"]["applicability"]) == (row, "unsafe")
    assert "check cannot infer that this is compiled and works on tensors" in one["fix"]["why"]
    assert one["fix"]["edits"]
    shown = breaklint("check", "--isolated", "-v", "net.py").stdout.partition("BRK950")[2]
    assert f"The nearest rule is {rule} (" in shown


def test_a_fix_whose_queries_do_not_hold_is_not_made(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    text = NET.replace("            x = x * 2", '            x = x * 2\n            print("seen")')
    write_files({"net.py": text, PLACE: text_of(broke("Net.forward", 3, "GB0170", text))})
    assert [one["fix"] for one in found(check(breaklint))] == [None]


@pytest.mark.parametrize(
    "options", [("--unfixable", "BRK301"), ("--unfixable", "BRK950"), ("--fixable", "BRK2")], ids=" ".join
)  # fmt: skip
def test_the_settings_may_turn_it_off(
    write_files: WriteFiles, breaklint: RunBreaklint, options: tuple[str, str]
) -> None:
    write_files({"net.py": NET, PLACE: text_of(BRANCH)})
    assert [one["fix"] for one in found(check(breaklint, *options))] == [None]


def test_what_the_settings_trust_is_not_safe_by_what_was_observed(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    write_files({"net.py": NET, PLACE: text_of(BRANCH), "breaklint.toml": 'extend-safe-fixes = ["BRK301", "BRK950"]\n'})
    (one,) = found(breaklint("check", "--output-format", "json", "net.py"))
    assert one["fix"]["applicability"] == "unsafe"


def test_safe_fixes_leave_it_alone(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    folder = write_files({"net.py": NET, PLACE: text_of(BRANCH)})
    assert breaklint("check", "--isolated", "--fix", "net.py").returncode == 1
    assert (folder / "net.py").read_text() == NET


def test_it_is_written_with_all_others(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    """A `print` is found by check alone, in the same function, which the profile knows as it was before."""
    text = NET.replace("        return x\n\n", '        return x\n\n    def extra(self, x):\n        print("a")\n\n')
    text = text.replace("def rows", "def rows_of(x):\n    print(1)\n    return x\n\n\ndef rows")
    folder = write_files({"net.py": text, PLACE: text_of(merged([BRANCH, NUMBER]))})
    done = breaklint("check", "--isolated", "--fix", "--unsafe-fixes", "net.py")
    now = (folder / "net.py").read_text()
    assert FIXED in now
    assert "count = limit.detach()" in now
    assert "Fixed 2 findings in 1 file." in done.stdout
    assert "BRK950" not in done.stdout
    again = breaklint("check", "--isolated", "--fix", "--unsafe-fixes", "net.py")
    assert (folder / "net.py").read_text() == now
    assert "Fixed" not in again.stdout


def test_a_diff_shows_it_and_writes_nothing(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    folder = write_files({"net.py": NET, PLACE: text_of(BRANCH)})
    done = breaklint("check", "--isolated", "--diff", "--unsafe-fixes", "net.py")
    assert "+        x = torch.where(limit.mean() > 0, x * 2, x * 3)" in done.stdout
    assert (folder / "net.py").read_text() == NET


def test_standard_input_is_fixed(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({PLACE: text_of(BRANCH)})
    options = ("--isolated", "--fix", "--unsafe-fixes", "--stdin-filename", "net.py", "-")
    assert FIXED in breaklint("check", *options, stdin=NET).stdout


def test_a_break_that_no_rule_of_the_target_is_about_has_no_rule_of_another_version(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    """GB0092 comes first to BRK649, which is of torch before 2.13: that one is passed by, and the break is told."""
    write_files({"net.py": NET, PLACE: text_of(broke("scaled", 2, "GB0092"))})
    (one,) = found(check(breaklint, "--target-torch", "2.13"))
    assert "BRK649" not in breaklint("check", "--isolated", "--target-torch", "2.13", "-v", "net.py").stdout
    assert one["location"]["row"] == 19
