"""What check says of its findings when there is a profile."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness import INSTALLED_TORCH, RunBreaklint, WriteFiles

from breaklint.observe.functions import Functions
from breaklint.observe.profile import Break, FunctionState, Key, Profile, Recompile, merge, text_of
from breaklint.rules.cards import load_rules

PLACE = ".breaklint/observed.json"
NET = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, mask=None):
        print("one")
        if mask is not None:
            print("two")
        return torch.relu(x)

    def extra(self, x):
        return x
"""
BY = ("tests/test_net.py::test_forward",)


def profile(text: str, function: str, seen: FunctionState, torch: str = "2.13.0", path: str = "net.py") -> Profile:
    """What was seen of a function of a text."""
    digest = next(item.digest for item in Functions(path, text).all if item.name == function)
    return {Key(path, function, digest, torch): seen}


def broken(row: int, gb: str = "GB0059", gave_up: bool = False) -> FunctionState:
    return FunctionState(frozenset({row}), (Break(row, gb, "Failed to trace: why", gave_up, BY),), by=BY)


def said(done: Any) -> list[tuple[int, str, Any]]:
    """Row, code and state of the findings."""
    return [
        (load["location"]["row"], load["code"], load["observed"] and load["observed"]["state"])
        for load in json.loads(done.stdout)
    ]


def check(breaklint: RunBreaklint, *options: str) -> Any:
    target = ("--target-torch", INSTALLED_TORCH)
    return breaklint("check", "--isolated", *target, "--output-format", "json", *options, "net.py")


FORWARD = "Net.forward"
TRACED = FunctionState(frozenset(range(1, 6)), by=BY)


@pytest.mark.parametrize(
    ("known", "states"),
    [
        pytest.param({}, ["unreached", "unreached"], id="nothing was seen"),
        pytest.param(profile(NET, FORWARD, broken(2)), ["confirmed", "unreached"], id="one row broke"),
        pytest.param(profile(NET, FORWARD, TRACED), ["ran", "ran"], id="both were traced"),
        pytest.param(profile(NET, FORWARD, broken(2, "GB9999")), ["confirmed", "unreached"], id="by another id"),
        pytest.param(profile(NET, FORWARD, broken(2, "")), ["confirmed", "unreached"], id="under no id"),
        pytest.param(
            merge([profile(NET, FORWARD, broken(2)), profile(NET, FORWARD, TRACED, "2.15.0")]),
            ["confirmed", "ran"],
            id="with another torch each",
        ),
        pytest.param(profile(NET, FORWARD, broken(2), path="b.py"), ["unreached", "unreached"], id="of another file"),
        pytest.param(profile(NET.replace("relu", "tanh"), FORWARD, broken(2)), [None, None], id="as it was before"),
    ],
)  # fmt: skip
def test_states(write_files: WriteFiles, breaklint: RunBreaklint, known: Profile, states: list[str | None]) -> None:
    write_files({"net.py": NET, PLACE: text_of(known)})
    assert [state for _, _, state in said(check(breaklint))] == states


def test_what_comes_after_the_break_of_a_row_is_hidden(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    text = NET.replace('print("one")', 'print("one", x.sum().item())')
    write_files({"net.py": text, PLACE: text_of(profile(text, FORWARD, broken(2, "GB0124", gave_up=True)))})
    assert said(check(breaklint))[:2] == [(6, "BRK101", "hidden"), (6, "BRK201", "confirmed")]


COUNTS = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls
"""


@pytest.mark.parametrize(
    ("seen", "state"),
    [
        (FunctionState(frozenset({1, 2, 3})), "ran"),
        (FunctionState(frozenset({1, 2, 3}), (Break(3, "GB0124", "why", True),)), "hidden"),
        (FunctionState(frozenset({1, 2, 3}), with_callee=True), "hidden"),
        (FunctionState(frozenset({1}), (Break(1, "GB0124", "why", True),)), "hidden"),
    ],
    ids=["compiled", "given up in a later row", "given up with what it calls", "given up before the row"],
)
def test_what_was_given_up_has_no_guards_that_could_fail(
    write_files: WriteFiles, breaklint: RunBreaklint, seen: FunctionState, state: str
) -> None:
    write_files({"net.py": COUNTS, PLACE: text_of(profile(COUNTS, FORWARD, seen))})
    states = {code: state for _, code, state in said(check(breaklint)) if code < "BRK9"}
    assert states
    assert set(states.values()) == {state}


def test_an_edit_of_one_function_leaves_what_was_seen_of_others(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    write_files(
        {
            "net.py": "# moved\n" + NET.replace("return x\n", "return x + 1\n"),
            PLACE: text_of(profile(NET, FORWARD, broken(2))),
        }
    )
    assert said(check(breaklint)) == [(7, "BRK101", "confirmed"), (9, "BRK101", "unreached")]


def test_a_stale_function_is_said_once(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"net.py": NET, PLACE: text_of(profile(NET.replace("relu", "tanh"), FORWARD, broken(2)))})
    notes = [line for line in check(breaklint).stderr.splitlines() if "observe" in line]
    assert len(notes) == 1
    assert "net.py: Net.forward" in notes[0]


def test_a_function_that_this_run_fixes_is_not_stale(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"net.py": NET, PLACE: text_of(profile(NET, FORWARD, broken(2)))})
    fixed = breaklint("check", "--diff", "--unsafe-fixes", "net.py")
    assert fixed.stdout.startswith("---")
    assert "observe" not in fixed.stderr


def test_without_a_profile_nothing_is_said(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"net.py": NET})
    assert [state for _, _, state in said(check(breaklint))] == [None, None]


AGAIN = Recompile(5, "self.n == N", BY)
SEEN_ONLY = merge(
    [
        profile(NET, "Net.extra", broken(2, "GB0059", gave_up=True)),
        profile(NET, FORWARD, FunctionState(frozenset({5}), recompiles=(AGAIN,), by=BY)),
    ]
)


def test_what_only_dynamo_saw_is_a_finding(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"net.py": NET, PLACE: text_of(SEEN_ONLY)})
    result = [load for load in json.loads(check(breaklint).stdout) if load["code"] > "BRK9"]
    assert [(item["location"]["row"], item["code"], item["effect"], item["dynamo"]) for item in result] == [
        (9, "BRK951", "recompile", []),
        (12, "BRK950", "break", ["GB0059"]),
    ]
    assert "why" in result[1]["message"]
    assert "runs this whole function in eager mode" in result[1]["note"]
    (rule,) = (item for item in load_rules() if item.code == "BRK101")  # the nearest one
    assert (result[1]["url"], rule.help.strip() in result[1]["help"]) == (rule.url, True)


def test_the_help_for_a_guard_of_a_size_is_a_mark_or_padding(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    guard = Recompile(5, "tensor 'x' size mismatch at index 0. expected 2, actual 3", BY)
    seen = FunctionState(frozenset({5}), recompiles=(guard,), by=BY)
    write_files({"net.py": NET, PLACE: text_of(profile(NET, FORWARD, seen))})
    (shown,) = (item for item in json.loads(check(breaklint).stdout) if item["code"] == "BRK951")
    assert "mark_dynamic" in shown["help"]
    assert "pad" in shown["help"]


def test_a_baseline_leaves_out_warnings_that_only_a_profile_shows(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    write_files({"net.py": NET})
    breaklint("check", "--isolated", "--write-baseline", "known.json", "net.py")
    write_files({PLACE: text_of(profile(NET, FORWARD, FunctionState(frozenset({5}), recompiles=(AGAIN,), by=BY)))})
    result = breaklint("check", "--isolated", "--baseline", "known.json", "net.py")
    assert (result.returncode, "BRK951" in result.stdout) == (0, False)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        pytest.param(NET, ("--ignore", "BRK950"), id="its rule is off"),
        pytest.param(NET, ("--ignore", "BRK101"), id="the rule that could have found it is off"),
        pytest.param(NET, ("--select", "BRK101"), id="another rule is selected"),
        pytest.param(NET, ("--per-file-ignores", "net.py:BRK950"), id="off in this file"),
        pytest.param("# breaklint: file-ignore[BRK950]\n" + NET, (), id="a comment"),
        pytest.param("# breaklint: file-ignore[BRK101]\n" + NET, (), id="a comment on that rule"),
    ],
)  # fmt: skip
def test_what_the_user_silenced_stays_silent(
    write_files: WriteFiles, breaklint: RunBreaklint, text: str, options: tuple[str, ...]
) -> None:
    only = SEEN_ONLY if options != ("--ignore", "BRK101") else profile(NET, "Net.extra", broken(2, "GB0059"))
    write_files({"net.py": text, PLACE: text_of(only)})
    codes = {code for _, code, _ in said(check(breaklint, *options))}
    assert not codes & {"BRK950", "BRK901"}


def test_a_damaged_profile_is_one_note(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"net.py": NET, PLACE: "{"})
    done = check(breaklint)
    assert (done.returncode, [state for _, _, state in said(done)]) == (1, [None, None])
    assert done.stderr.count("observed.json") == 1


@pytest.mark.parametrize("files", [{}, {PLACE: "{"}], ids=["no profile", "a damaged profile"])
def test_a_filter_needs_a_profile(write_files: WriteFiles, breaklint: RunBreaklint, files: dict[str, str]) -> None:
    write_files({"net.py": NET, **files})
    assert check(breaklint, "--observed", "confirmed").returncode == 2


def test_a_warm_cache_says_the_same(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    """A profile that comes later is seen, too: it is no part of what the cache keeps."""
    write_files({"net.py": NET})
    check(breaklint)
    write_files({PLACE: text_of(profile(NET, FORWARD, broken(2)))})
    assert [said(check(breaklint)) for _ in range(2)] == [[(6, "BRK101", "confirmed"), (8, "BRK101", "unreached")]] * 2


def test_profiles_are_merged_into_one(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    parts = [profile(NET, FORWARD, broken(2)), profile(NET, FORWARD, broken(4))]
    folder = write_files({"net.py": NET, "a.json": text_of(parts[0]), "b.json": text_of(parts[1])})
    assert breaklint("observe", "--merge", "a.json", "b.json").returncode == 0
    assert (folder / PLACE).read_text() == text_of(merge(parts))
    assert [state for _, _, state in said(check(breaklint))] == ["confirmed", "confirmed"]
